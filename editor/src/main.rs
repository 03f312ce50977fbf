//! Opens the window.
use houserule_editor::App;
use houserule_editor::document::Document;
use houserule_editor::jobs::Jobs;
use houserule_editor::settings::Settings;

fn main() -> eframe::Result {
    let options = eframe::NativeOptions {
        viewport: egui::ViewportBuilder::default().with_title("Houserule").with_inner_size([1400.0, 900.0]),
        ..Default::default()
    };
    eframe::run_native(
        "Houserule",
        options,
        Box::new(|cc| {
            houserule_editor::app::dress(&cc.egui_ctx);
            let ctx = cc.egui_ctx.clone();
            let jobs = Jobs::threads(move || ctx.request_repaint());
            Ok(Box::new(App::new(Document::new([]), Settings::default(), jobs)))
        }),
    )
}
