//! Stops a long run on Ctrl-C and keeps the results that are finished; shows progress on the error stream.
use super::io::Io;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// How often the bar is drawn again.
const TICK: Duration = Duration::from_millis(100);

/// Turns true at Ctrl-C. A second Ctrl-C ends the process at once.
pub fn make_stop_flag(io: &Io) -> Arc<AtomicBool> {
    static FLAG: OnceLock<Arc<AtomicBool>> = OnceLock::new();
    if !io.signals {
        return Arc::new(AtomicBool::new(false));
    }
    let flag = FLAG.get_or_init(|| {
        let flag = Arc::new(AtomicBool::new(false));
        let inner = flag.clone();
        // If no handler can be set, Ctrl-C simply ends the process.
        ctrlc::set_handler(move || {
            if inner.swap(true, Ordering::SeqCst) {
                std::process::exit(130);
            }
        })
        .ok();
        flag
    });
    flag.clone()
}

/// Does some work; while it lasts, a bar on the error stream shows how much of it is done, if that is a terminal.
pub fn with_bar<T: Send>(
    io: &mut Io,
    what: &str,
    total: u64,
    done: &AtomicU64,
    work: impl FnOnce() -> T + Send,
) -> T {
    if !io.progress {
        return work();
    }
    io.out.flush().ok();
    let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
    let signs = if io.unicode { "█▉▊▋▌▍▎▏ " } else { "=> " };
    let template = format!("{{bar:30}} {{pos}}/{{len}} {what}, {{per_sec}}, {{eta}} left");
    if let Ok(style) = ProgressStyle::with_template(&template) {
        bar.set_style(style.progress_chars(signs));
    }
    let (end, ended) = channel::<()>();
    std::thread::scope(|scope| {
        let bar = &bar;
        scope.spawn(move || {
            while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(TICK) {
                bar.set_position(done.load(Ordering::Relaxed));
            }
            bar.finish_and_clear();
        });
        let result = work();
        drop(end);
        result
    })
}
