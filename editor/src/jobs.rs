//! Long work and the time: the only place, with `disk` and `main`, where threads and clocks are.
//!
//! A frame never waits: it starts a job, and looks at each later frame whether it is done. Tests run every job at once and move the clock by hand.
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

/// Tells a job that nobody waits for it any more.
#[derive(Clone, Debug, Default)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// Whether it should end.
    pub fn wanted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// Asks it to end.
    pub fn stop(&self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Work that was started.
#[derive(Debug)]
pub struct Job<T> {
    stop: Stop,
    got: mpsc::Receiver<T>,
}

impl<T> Job<T> {
    /// What it made, once; none while it runs.
    pub fn poll(&mut self) -> Option<T> {
        self.got.try_recv().ok()
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

#[derive(Clone)]
enum Mode {
    Threads { start: Instant, wake: Wake },
    AtOnce { now: Rc<Cell<Duration>> },
    WhenTold { waiting: Rc<RefCell<Waiting>> },
}

/// Where work goes, and what time it is.
#[derive(Clone)]
pub struct Jobs(Mode);

impl Jobs {
    /// Each job on a thread of its own; `wake` is called when one is done.
    pub fn threads(wake: impl Fn() + Send + Sync + 'static) -> Jobs {
        Jobs(Mode::Threads { start: Instant::now(), wake: Arc::new(wake) })
    }

    /// Each job is done before `start` returns, and the clock stands until it is moved.
    pub fn at_once() -> Jobs {
        Jobs(Mode::AtOnce { now: Rc::default() })
    }

    /// Each job waits until [`Jobs::run`] is called, and the clock stands: as if it took long.
    pub fn when_told() -> Jobs {
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
            Mode::AtOnce { now } => now.get(),
            Mode::WhenTold { .. } => Duration::ZERO,
        }
    }

    /// Moves the clock of a test.
    pub fn pass(&self, time: Duration) {
        if let Mode::AtOnce { now } = &self.0 {
            now.set(now.get() + time);
        }
    }

    /// Starts work. What comes of it is asked of the job.
    pub fn start<T: Send + 'static>(&self, work: impl FnOnce(&Stop) -> T + Send + 'static) -> Job<T> {
        let (send, got) = mpsc::channel();
        let stop = Stop::default();
        match &self.0 {
            Mode::AtOnce { .. } => {
                // Nobody has let go of it yet.
                send.send(work(&stop)).ok();
            }
            Mode::WhenTold { waiting } => {
                let stop = stop.clone();
                waiting.borrow_mut().push(Box::new(move || {
                    send.send(work(&stop)).ok();
                }));
            }
            Mode::Threads { wake, .. } => {
                let (wake, stop) = (wake.clone(), stop.clone());
                let run = move || {
                    // Who no longer waits is not told.
                    send.send(work(&stop)).ok();
                    wake();
                };
                // Checking goes as deep as texts nest.
                std::thread::Builder::new().stack_size(16 << 20).spawn(run).ok();
            }
        }
        Job { stop, got }
    }
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
        let jobs = Jobs::threads(move || {
            send.send(()).ok();
        });
        let mut job = jobs.start(|_| 6 * 7);
        woken.recv_timeout(Duration::from_secs(20)).unwrap();
        assert_eq!((job.poll(), job.poll()), (Some(42), None));
    }

    #[test]
    fn a_job_that_nobody_waits_for_is_told_to_stop() {
        let (send, ended) = mpsc::channel();
        let jobs = Jobs::threads(|| ());
        let job = jobs.start(move |stop| {
            while !stop.wanted() {
                std::thread::yield_now();
            }
            send.send(()).ok();
        });
        drop(job);
        ended.recv_timeout(Duration::from_secs(20)).unwrap();
    }

    #[test]
    fn a_test_lets_work_wait() {
        let jobs = Jobs::when_told();
        let mut job = jobs.start(|_| 6 * 7);
        assert_eq!(job.poll(), None);
        jobs.run();
        assert_eq!(job.poll(), Some(42));
    }

    #[test]
    fn a_test_moves_the_clock() {
        let jobs = Jobs::at_once();
        jobs.clone().pass(Duration::from_secs(3));
        assert_eq!(jobs.now(), Duration::from_secs(3));
    }
}
