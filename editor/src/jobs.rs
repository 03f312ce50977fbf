//! Background jobs and the clock: with `disk` and `main` the only place that uses threads and time.
//!
//! A frame never waits: it starts a job, and looks at each later frame whether it is done. Tests run every job at once and move the clock by hand.
//!
//! A fault in a job ends that job alone: whoever waits for it is told, and everything else goes on.
use std::any::Any;
use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Tells a job that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether it should end.
    pub fn is_wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// For work of the library that looks at a flag.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work that broke off: what it was, and what the fault in it says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failed {
    /// What was being done, as a sentence begins: `Saving`.
    pub what: &'static str,
    /// What is known of the fault.
    pub why: String,
}

impl std::fmt::Display for Failed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} was stopped by a defect in this program ({})", self.what, self.why)
    }
}

impl Failed {
    /// The fault that a panic carries.
    fn from_panic(what: &'static str, fault: &(dyn Any + Send)) -> Failed {
        let text = fault.downcast_ref::<&str>().copied();
        let text = text.or_else(|| fault.downcast_ref::<String>().map(String::as_str));
        let line = text.and_then(|t| t.lines().next()).map(str::trim).filter(|t| !t.is_empty());
        Failed { what, why: line.unwrap_or("it does not say which").to_string() }
    }
}

/// What comes of work.
type Made<T> = Result<T, Failed>;

/// Work that was started.
#[derive(Debug)]
pub struct Job<T> {
    what: &'static str,
    stop: Stop,
    got: mpsc::Receiver<Made<T>>,
    over: bool,
}

impl<T> Job<T> {
    /// What it made, once; none while it runs. Work that broke off says so, so that nobody waits for it for ever.
    pub fn poll(&mut self) -> Option<Made<T>> {
        if self.over {
            return None;
        }
        let got = match self.got.try_recv() {
            Ok(got) => got,
            Err(mpsc::TryRecvError::Empty) => return None,
            // It was never begun.
            Err(mpsc::TryRecvError::Disconnected) => {
                Err(Failed { what: self.what, why: String::from("the system gives no thread for it") })
            }
        };
        self.over = true;
        Some(got)
    }

    /// Asks it to end early.
    pub fn stop(&self) {
        self.stop.stop();
    }
}

impl<T> Drop for Job<T> {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// How a frame is asked for from another thread.
type Wake = Arc<dyn Fn() + Send + Sync>;

/// Work that waits until it is told to be done.
type Waiting = Vec<Box<dyn FnOnce()>>;

/// What a test lets break off.
type Breaks = Rc<Cell<Option<&'static str>>>;

#[derive(Clone)]
enum Mode {
    Threads { start: Instant, wake: Wake },
    AtOnce { now: Rc<Cell<Duration>>, breaks: Breaks },
    WhenTold { waiting: Rc<RefCell<Waiting>> },
}

/// Where work goes, and what time it is.
#[derive(Clone)]
pub struct Jobs(Mode);

impl Jobs {
    /// Each job on a thread of its own; `wake` is called when one is done.
    pub fn on_threads(wake: impl Fn() + Send + Sync + 'static) -> Jobs {
        Jobs(Mode::Threads { start: Instant::now(), wake: Arc::new(wake) })
    }

    /// Each job is done before `start` returns, and the clock stands until it is moved.
    pub fn at_once() -> Jobs {
        Jobs(Mode::AtOnce { now: Rc::default(), breaks: Rc::default() })
    }

    /// Each job waits until [`Jobs::run`] is called, and the clock stands: as if it took long.
    pub fn on_demand() -> Jobs {
        Jobs(Mode::WhenTold { waiting: Rc::default() })
    }

    /// Does what waits to be told.
    pub fn run(&self) {
        if let Mode::WhenTold { waiting } = &self.0 {
            // What they start waits for the next time.
            for job in waiting.take() {
                job();
            }
        }
    }

    /// Since the program began.
    pub fn now(&self) -> Duration {
        match &self.0 {
            Mode::Threads { start, .. } => start.elapsed(),
            Mode::AtOnce { now, .. } => now.get(),
            Mode::WhenTold { .. } => Duration::ZERO,
        }
    }

    /// Moves the clock of a test.
    pub fn pass_time(&self, time: Duration) {
        if let Mode::AtOnce { now, .. } = &self.0 {
            now.set(now.get() + time);
        }
    }

    /// From now on every job at once that does this breaks off, as by a fault; none: no job does.
    pub fn break_off(&self, what: Option<&'static str>) {
        if let Mode::AtOnce { breaks, .. } = &self.0 {
            breaks.set(what);
        }
    }

    /// Starts work, which is called `what` should it break off. What comes of it is asked of the job.
    pub fn start<T: Send + 'static>(
        &self,
        what: &'static str,
        work: impl FnOnce(&Stop) -> T + Send + 'static,
    ) -> Job<T> {
        let (send, got) = mpsc::channel();
        let stop = Stop::default();
        match &self.0 {
            Mode::AtOnce { breaks, .. } => {
                let broken = breaks.get() == Some(what);
                // Nobody has let go of it yet.
                send.send(if broken {
                    Err(Failed::from_panic(what, &"as a test wants"))
                } else {
                    catch_fault(what, work, &stop)
                })
                .ok();
            }
            Mode::WhenTold { waiting } => {
                let stop = stop.clone();
                waiting.borrow_mut().push(Box::new(move || {
                    send.send(catch_fault(what, work, &stop)).ok();
                }));
            }
            Mode::Threads { wake, .. } => {
                let (wake, stop) = (wake.clone(), stop.clone());
                let run = move || {
                    // Who no longer waits is not told.
                    send.send(catch_fault(what, work, &stop)).ok();
                    wake();
                };
                // Checking goes as deep as texts nest.
                std::thread::Builder::new().stack_size(16 << 20).spawn(run).ok();
            }
        }
        Job { what, stop, got, over: false }
    }

    /// Looks at once, and on a thread again and again, so long apart, until something is found: nothing else need ask for frames meanwhile. Elsewhere it looks once; then
    /// nothing may come of it, and whoever wants to know starts it again.
    pub fn watch<T: Send + 'static>(
        &self,
        what: &'static str,
        every: Duration,
        look: impl Fn() -> Option<T> + Send + 'static,
    ) -> Job<Option<T>> {
        let again = matches!(self.0, Mode::Threads { .. });
        self.start(what, move |stop| {
            loop {
                let found = look();
                if found.is_some() || !again || stop.is_wanted() {
                    return found;
                }
                std::thread::sleep(every);
            }
        })
    }
}

/// Does work, and catches a fault in it: what it was at is its own and is thrown away with it, so nothing half done is left behind.
fn catch_fault<T>(what: &'static str, work: impl FnOnce(&Stop) -> T, stop: &Stop) -> Made<T> {
    catch_unwind(AssertUnwindSafe(|| work(stop))).map_err(|fault| Failed::from_panic(what, &*fault))
}

/// Waits, on a job's thread, for what another part of the system will answer.
pub fn wait<T>(answer: impl Future<Output = T>) -> T {
    struct Parked(std::thread::Thread);
    impl std::task::Wake for Parked {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Parked(std::thread::current())).into();
    let mut context = std::task::Context::from_waker(&waker);
    let mut answer = std::pin::pin!(answer);
    loop {
        if let std::task::Poll::Ready(got) = answer.as_mut().poll(&mut context) {
            return got;
        }
        std::thread::park();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_is_done_on_a_thread_and_wakes() {
        let (send, woken) = mpsc::channel();
        let jobs = Jobs::on_threads(move || {
            send.send(()).ok();
        });
        let mut job = jobs.start("Counting", |_| 6 * 7);
        woken.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!((job.poll(), job.poll()), (Some(Ok(42)), None));
    }

    #[test]
    fn a_job_that_nobody_waits_for_is_told_to_stop() {
        let (send, ended) = mpsc::channel();
        let jobs = Jobs::on_threads(|| ());
        let job = jobs.start("Counting", move |stop| {
            while !stop.is_wanted() {
                std::thread::yield_now();
            }
            send.send(()).ok();
        });
        drop(job);
        ended.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    #[test]
    fn one_who_watches_wakes_when_something_is_found_and_not_before() {
        let (send, woken) = mpsc::channel();
        let threads = Jobs::on_threads(move || {
            send.send(()).ok();
        });
        let third = std::sync::atomic::AtomicU8::new(0);
        let mut job = threads.watch("Looking", Duration::from_millis(1), move || {
            (third.fetch_add(1, Ordering::Relaxed) == 2).then_some(42)
        });
        woken.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!(job.poll(), Some(Ok(Some(42))));
        assert!(woken.try_recv().is_err(), "it wakes once");
        let mut job = Jobs::at_once().watch("Looking", Duration::from_secs(1), || None::<u8>);
        assert_eq!(job.poll(), Some(Ok(None)), "a test looks once");
    }

    #[test]
    fn a_test_lets_work_wait() {
        let jobs = Jobs::on_demand();
        let mut job = jobs.start("Counting", |_| 6 * 7);
        assert_eq!(job.poll(), None);
        jobs.run();
        assert_eq!(job.poll(), Some(Ok(42)));
    }

    #[test]
    fn a_fault_in_a_job_is_told_and_the_rest_goes_on() {
        let (send, woken) = mpsc::channel();
        let threads = Jobs::on_threads(move || {
            send.send(()).ok();
        });
        let told = Failed { what: "Counting", why: String::from("no number 7") };
        for jobs in [threads, Jobs::at_once(), Jobs::on_demand()] {
            let mut job: Job<u8> = jobs.start("Counting", |_| panic!("no number {}\nbehind it", 7));
            let mut other = jobs.start("Looking", |_| 42);
            jobs.run();
            if matches!(jobs.0, Mode::Threads { .. }) {
                for _ in 0..2 {
                    woken.recv_timeout(Duration::from_secs(20)).unwrap();
                }
            }
            assert_eq!((job.poll(), job.poll()), (Some(Err(told.clone())), None));
            assert_eq!(other.poll(), Some(Ok(42)));
        }
        assert_eq!(told.to_string(), "Counting was stopped by a defect in this program (no number 7)");
        // A text that was put together beforehand and one that was not; and what says nothing.
        assert_eq!(Failed::from_panic("X", &"plain").why, "plain");
        assert_eq!(Failed::from_panic("X", &7_u8).why, "it does not say which");
    }

    #[test]
    fn a_test_moves_the_clock() {
        let jobs = Jobs::at_once();
        jobs.clone().pass_time(Duration::from_secs(3));
        assert_eq!(jobs.now(), Duration::from_secs(3));
    }
}
