//! What the system says of how people want programs to be.
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether the system asks for reduced motion; kept up to date while the window is open.
#[derive(Default)]
pub struct Still {
    asked: Arc<AtomicBool>,
    /// Asks the system for as long as it lives.
    watch: Option<mundy::Subscription>,
}

impl Still {
    /// Asks the system from now on; `wake` is called when the answer changes.
    pub fn watch(wake: impl Fn() + Send + Sync + 'static) -> Still {
        let asked = Arc::new(AtomicBool::new(false));
        let answer = asked.clone();
        let watch = mundy::Preferences::subscribe(mundy::Interest::ReducedMotion, move |found| {
            answer.store(found.reduced_motion == mundy::ReducedMotion::Reduce, Ordering::Relaxed);
            wake();
        });
        Still { asked, watch: Some(watch) }
    }

    /// Whether it asks for that.
    pub fn is_asked(&self) -> bool {
        self.asked.load(Ordering::Relaxed)
    }
}

impl std::fmt::Debug for Still {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Still {{ asked: {}, watched: {} }}", self.is_asked(), self.watch.is_some())
    }
}
