//! The graphics device: hardware where there is any, else a software driver; or a device of the caller.

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

/// Texels along the longer side of a pixel's footprint that are averaged at most.
const ANISOTROPY: u16 = 8;

/// Which adapter is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Choice {
    /// Hardware, else software.
    #[default]
    Best,
    /// Software only: the same pixels on every machine with the same driver.
    Software,
}

/// A graphics device. A clone is the same device.
#[derive(Clone, Debug)]
pub struct Gpu {
    pub(crate) device: wgpu::Device,
    pub(crate) queue: wgpu::Queue,
    name: String,
    software: bool,
    samples: u32,
    anisotropy: u16,
    faults: Arc<Mutex<Vec<String>>>,
}

/// What a function that waits returns in a browser.
pub(crate) fn cannot_wait() -> Error {
    Error::unsupported("a browser cannot wait for the graphics device").hint("use the asynchronous function")
}

/// Runs a future to its end. In a browser, which must not block, the result is an error.
pub(crate) fn block_on<T>(future: impl Future<Output = Result<T>>) -> Result<T> {
    #[cfg(not(target_arch = "wasm32"))]
    return pollster::block_on(future);
    #[cfg(target_arch = "wasm32")]
    {
        drop(future);
        Err(cannot_wait())
    }
}

impl Gpu {
    /// Opens a device without a window: Vulkan, Metal or DirectX 12 first, OpenGL where they are missing.
    ///
    /// # Errors
    /// When there is no driver; the hint says what to install. In a browser always: use [`Gpu::request`] there.
    pub fn new(choice: Choice) -> Result<Self> {
        block_on(Self::request(choice))
    }

    /// Like [`Gpu::new`], without blocking.
    ///
    /// # Errors
    /// When there is no driver; the hint says what to install.
    pub async fn request(choice: Choice) -> Result<Self> {
        for backends in [wgpu::Backends::PRIMARY, wgpu::Backends::GL] {
            if let Some(adapter) = adapter(backends, choice).await {
                return Self::of_adapter(&adapter).await;
            }
        }
        Err(Error::unsupported("no graphics adapter was found").hint(ADVICE))
    }

    /// Opens a device of an adapter that was chosen elsewhere, such as one that can draw into a window.
    ///
    /// # Errors
    /// When the adapter cannot give a device. In a browser always: use [`Gpu::of_adapter`] there.
    pub fn with_adapter(adapter: &wgpu::Adapter) -> Result<Self> {
        block_on(Self::of_adapter(adapter))
    }

    /// Like [`Gpu::with_adapter`], without blocking.
    ///
    /// # Errors
    /// When the adapter cannot give a device.
    pub async fn of_adapter(adapter: &wgpu::Adapter) -> Result<Self> {
        let limits = wgpu::Limits::downlevel_webgl2_defaults().using_resolution(adapter.limits());
        let limits = wgpu::Limits { max_buffer_size: adapter.limits().max_buffer_size, ..limits };
        let request = adapter.request_device(&wgpu::DeviceDescriptor {
            label: Some("effigy"),
            required_features: wgpu::Features::empty(),
            required_limits: limits,
            ..wgpu::DeviceDescriptor::default()
        });
        let (device, queue) = request.await.map_err(|error| {
            let name = adapter.get_info().name;
            Error::unsupported(format!("{name} gives no device: {error}")).hint(ADVICE)
        })?;
        let gpu = Self::from_parts(adapter, device, queue);
        let faults = Arc::clone(&gpu.faults);
        gpu.device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
            faults.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
        }));
        Ok(gpu)
    }

    /// Uses a device that somebody else opened, such as the one of a window's toolkit. No features are needed, and no
    /// more than [`wgpu::Limits::downlevel_webgl2_defaults`].
    ///
    /// Errors that the device reports go to the handler that its owner has set, not to the results of this crate. By
    /// default wgpu panics on them.
    #[must_use]
    pub fn from_parts(adapter: &wgpu::Adapter, device: wgpu::Device, queue: wgpu::Queue) -> Self {
        let info = adapter.get_info();
        let multisampled = [super::target::COLOR, super::target::DEPTH]
            .into_iter()
            .all(|format| adapter.get_texture_format_features(format).flags.sample_count_supported(4));
        let software = info.device_type == wgpu::DeviceType::Cpu;
        // On a software driver it nearly doubles the time of a picture.
        let filtered = !software
            && adapter
                .get_downlevel_capabilities()
                .flags
                .contains(wgpu::DownlevelFlags::ANISOTROPIC_FILTERING);
        Self {
            device,
            queue,
            name: format!("{} ({})", info.name, info.backend),
            software,
            samples: if multisampled { 4 } else { 1 },
            anisotropy: if filtered { ANISOTROPY } else { 1 },
            faults: Arc::default(),
        }
    }

    /// The device, for drawing by the caller.
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

    /// How many texels are averaged at most along a surface that is seen at a shallow angle; 1 where the device cannot.
    #[must_use]
    pub const fn anisotropy(&self) -> u16 {
        self.anisotropy
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

async fn adapter(backends: wgpu::Backends, choice: Choice) -> Option<wgpu::Adapter> {
    let instance = wgpu::Instance::new(wgpu::InstanceDescriptor {
        backends,
        flags: if cfg!(debug_assertions) {
            wgpu::InstanceFlags::VALIDATION
        } else {
            wgpu::InstanceFlags::empty()
        },
        ..wgpu::InstanceDescriptor::new_without_display_handle()
    });
    let mut adapters = instance.enumerate_adapters(backends).await;
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
