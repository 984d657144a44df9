//! Screenshots: of the viewport, the whole page, or one element.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use chromiumoxide::cdp::browser_protocol::page::{
    CaptureScreenshotFormat, CaptureScreenshotParams, GetLayoutMetricsParams, Viewport,
};
use serde::Deserialize;
use serde_json::json;

use super::frames::Aim;
use super::pointer::Point;
use super::retry::Trial;
use super::{Deadline, Error, Page};
use crate::selector::Selector;

/// Chromium renders no larger picture, in CSS pixels.
const MAX_SIDE: f64 = 16_384.0;

/// What a picture shows.
#[derive(Clone, Debug)]
pub enum Clip {
    /// What a person would see now.
    Viewport,
    /// The page from top to bottom.
    FullPage,
    /// The one element that matches.
    Element(Selector),
}

/// How a picture is encoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ImageFormat {
    /// Without loss.
    #[default]
    Png,
    /// Smaller; the quality is 0 to 100.
    Jpeg(u8),
}

/// An encoded picture.
#[derive(Clone, Debug)]
pub struct Picture {
    /// `image/png` or `image/jpeg`.
    pub mime_type: &'static str,
    /// The file's bytes.
    pub data: Vec<u8>,
}

#[derive(Deserialize)]
struct Captured {
    data: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    css_content_size: Size,
    css_visual_viewport: Scrolled,
}

/// How far the page is scrolled.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Scrolled {
    page_x: f64,
    page_y: f64,
}

#[derive(Deserialize)]
struct Size {
    width: f64,
    height: f64,
}

#[derive(Deserialize)]
struct Box {
    /// Its top left corner in the viewport of its frame.
    viewport: Point,
    width: f64,
    height: f64,
}

impl Page<'_> {
    /// Takes a picture.
    ///
    /// # Errors
    /// [`Error::Unmet`] when the element of the clip isn't visible in time; [`Error::Timeout`].
    pub async fn screenshot(&self, clip: &Clip, format: ImageFormat, deadline: &Deadline) -> Result<Picture, Error> {
        let mut capture = CaptureScreenshotParams::default();
        let mime_type = match format {
            ImageFormat::Png => "image/png",
            ImageFormat::Jpeg(quality) => {
                capture.format = Some(CaptureScreenshotFormat::Jpeg);
                capture.quality = Some(quality.min(100).into());
                "image/jpeg"
            }
        };
        let session = self.link.page_session()?;
        capture.clip = match clip {
            Clip::Viewport => None,
            Clip::FullPage => {
                let metrics: Metrics = deadline
                    .race(self.link.connection.send(Some(&session), &GetLayoutMetricsParams::default()))
                    .await??;
                Some(viewport(0.0, 0.0, metrics.css_content_size.width, metrics.css_content_size.height))
            }
            Clip::Element(selector) => Some(self.element_box(selector, deadline).await?),
        };
        capture.capture_beyond_viewport = capture.clip.is_some().then_some(true);
        let captured: Captured = deadline.race(self.link.connection.send(Some(&session), &capture)).await??;
        let data = STANDARD
            .decode(captured.data)
            .map_err(|error| Error::Protocol { method: "Page.captureScreenshot".into(), message: error.to_string() })?;
        Ok(Picture { mime_type, data })
    }

    async fn element_box(&self, selector: &Selector, deadline: &Deadline) -> Result<Viewport, Error> {
        let mut trial = Trial::new("screenshot", selector, deadline);
        loop {
            let attempt = async {
                let place = self.place(selector).await?;
                let area: Box = self.ask(&place, "box", json!({ "scroll": true })).await?;
                let session = self.link.page_session()?;
                let metrics: Metrics =
                    self.link.connection.send(Some(&session), &GetLayoutMetricsParams::default()).await?;
                let scrolled = metrics.css_visual_viewport;
                let Point { x, y } = area.viewport;
                let near = self.on_page(&place, x, y, Aim::Measure).await?;
                let far = self.on_page(&place, x + area.width, y + area.height, Aim::Measure).await?;
                Ok(viewport(near.x + scrolled.page_x, near.y + scrolled.page_y, far.x - near.x, far.y - near.y))
            };
            if let Some(area) = trial.attempt(attempt).await? {
                return Ok(area);
            }
        }
    }
}

fn viewport(x: f64, y: f64, width: f64, height: f64) -> Viewport {
    Viewport { x, y, width: width.clamp(1.0, MAX_SIDE), height: height.clamp(1.0, MAX_SIDE), scale: 1.0 }
}
