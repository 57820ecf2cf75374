//! The graphics device: hardware where there is any, else a software driver, without a window.

use effigy_wire::{Error, Kind, Result};
use std::sync::{Arc, Mutex, PoisonError};

/// What to install where no adapter is found.
const ADVICE: &str = if cfg!(windows) {
    "install a graphics driver; Windows brings WARP, its software renderer, with DirectX 12"
} else if cfg!(target_os = "macos") {
    "a Mac with Metal is needed"
} else {
    "install a Vulkan driver; `apt-get install mesa-vulkan-drivers` brings lavapipe, which needs no graphics card"
};

/// Which adapter is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Hardware, else software.
    #[default]
    Best,
    /// Software only: the same pixels on every machine with the same driver.
    Software,
}

/// A device without a window, shared by all pictures of a run.
#[derive(Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    software: bool,
    samples: u32,
    faults: Arc<Mutex<Vec<String>>>,
}

impl Gpu {
    /// Opens a device: Vulkan, Metal or DirectX 12 first, OpenGL where they are missing.
    ///
    /// # Errors
    /// When there is no driver; the hint says what to install.
    pub fn new(choice: Choice) -> Result<Self> {
        let adapter = [wgpu::Backends::PRIMARY, wgpu::Backends::GL]
            .into_iter()
            .find_map(|backends| adapter(backends, choice))
            .ok_or_else(|| Error::unsupported("no graphics adapter was found").hint(ADVICE))?;
        Self::with_adapter(&adapter)
    }

    /// Opens a device of an adapter that was chosen elsewhere, for a window.
    ///
    /// # Errors
    /// When the adapter cannot give a device.
    pub fn with_adapter(adapter: &wgpu::Adapter) -> Result<Self> {
        pollster::block_on(Self::request(adapter))
    }

    /// The same without blocking, for a browser.
    ///
    /// # Errors
    /// When the adapter cannot give a device.
    pub async fn request(adapter: &wgpu::Adapter) -> Result<Self> {
        let info = adapter.get_info();
        let limits = wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits());
        let limits = wgpu::Limits { max_buffer_size: adapter.limits().max_buffer_size, ..limits };
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("effigy"),
            required_features: wgpu::Features::empty(),
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        });
        let (device, queue) = request.await.map_err(|error| {
            Error::unsupported(format!("{} gives no device: {error}", info.name)).hint(ADVICE)
        })?;
        let faults = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&faults);
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            kept.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        let multisampled = [super::target::COLOR, super::target::DEPTH]
            .into_iter()
            .all(|format| adapter.get_texture_format_features(format).flags.sample_count_supported(4));
        Ok(Self {
            device,
            queue,
            name: format!("{} ({})", info.name, info.backend),
            software: info.device_type == wgpu::DeviceType::Cpu,
            samples: if multisampled { 4 } else { 1 },
            faults,
        })
    }

    /// The device, for what the caller draws besides.
    #[must_use]
    pub const fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// The queue that pictures are sent to.
    #[must_use]
    pub const fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Name of the adapter and the interface it is driven by.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether a program draws instead of a graphics card.
    #[must_use]
    pub const fn is_software(&self) -> bool {
        self.software
    }

    /// Samples a pixel: 4 where the device can, else 1.
    #[must_use]
    pub const fn samples(&self) -> u32 {
        self.samples
    }

    /// Largest width and height of a picture.
    #[must_use]
    pub fn largest_side(&self) -> u32 {
        self.device.limits().max_texture_dimension_2d
    }

    /// The first message of the device's own checks since the last call.
    pub(crate) fn check(&self) -> Result<()> {
        let mut faults = self.faults.lock().unwrap_or_else(PoisonError::into_inner);
        match std::mem::take(&mut *faults).into_iter().next() {
            Some(fault) => {
                Err(Error::new(Kind::Unsupported, format!("the graphics device complained: {fault}")))
            }
            None => Ok(()),
        }
    }
}

fn adapter(backends: wgpu::Backends, choice: Choice) -> Option<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: if cfg!(debug_assertions) {
            wgpu::InstanceFlags::VALIDATION
        } else {
            wgpu::InstanceFlags::empty()
        },
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = pollster::block_on(instance.enumerate_adapters(backends));
    adapters
        .retain(|adapter| choice == Choice::Best || adapter.get_info().device_type == wgpu::DeviceType::Cpu);
    adapters.sort_by_key(|adapter| match adapter.get_info().device_type {
        wgpu::DeviceType::DiscreteGpu => 0,
        wgpu::DeviceType::IntegratedGpu => 1,
        wgpu::DeviceType::VirtualGpu => 2,
        wgpu::DeviceType::Other => 3,
        wgpu::DeviceType::Cpu => 4,
    });
    adapters.into_iter().next()
}
