//! Reads the images that looks name.
use super::Declarer;
use crate::body::look_rows::check_look_rows;
use crate::codes;
use crate::images::{Image, check_image};
use houserule_text::{Diagnostic, Span};

impl Declarer<'_> {
    /// Reads the images that looks name, from beside the rules that name them.
    pub(super) fn read_images(&mut self) {
        for (name, places) in check_look_rows(&self.model, &mut self.report) {
            let mut first: Option<(String, Span)> = None;
            for at in places {
                let beside = self.files.get(at.file).map_or("", |f| f.name.as_str());
                let Some(text) = self.source.read(beside, &name) else {
                    let d = Diagnostic::error(codes::IMAGE, at, format!("the image `{name}` was not found"));
                    self.report.push(
                        d.help("put it into the folder of this file, or into the folder `images` there"),
                    );
                    continue;
                };
                match &first {
                    None => {
                        if let Err(why) = check_image(&text) {
                            let message = format!("the image `{name}` {why}");
                            self.report.push(Diagnostic::error(codes::IMAGE, at, message));
                        }
                        first = Some((text, at));
                    }
                    Some((other, there)) if *other != text => {
                        let message = format!("`{name}` is another image here than elsewhere");
                        let d = Diagnostic::error(codes::IMAGE, at, message);
                        self.report.push(
                            d.also(*there, "named here, too").help("give one of the two files another name"),
                        );
                    }
                    Some(_) => {}
                }
            }
            if let Some((text, _)) = first {
                self.model.images.push(Image { name: name.into(), text: text.into() });
            }
        }
    }
}
