public import Foundation

/// A picture by its size. Nothing is drawn: what an app's assets have is known by name, and a file's bytes are read as far as its size.
open class UIImage: NSObject, @unchecked Sendable {
    /// Whether a picture keeps its own colours.
    public enum RenderingMode: Int, Sendable {
        case automatic = 0
        case alwaysOriginal, alwaysTemplate
    }

    /// How a symbol is drawn. Set and read.
    open class Configuration: NSObject, @unchecked Sendable {
        fileprivate override init() { super.init() }
    }

    /// The size and the weight of a symbol.
    open class SymbolConfiguration: Configuration, @unchecked Sendable {
        public init(pointSize: CGFloat) { super.init() }
        public init(pointSize: CGFloat, weight: SymbolWeight) { super.init() }
        public init(pointSize: CGFloat, weight: SymbolWeight, scale: SymbolScale) { super.init() }
        public init(textStyle: UIFont.TextStyle) { super.init() }
    }

    /// How bold a symbol is.
    public enum SymbolWeight: Int, Sendable {
        case unspecified = 0
        case ultraLight, thin, light, regular, medium, semibold, bold, heavy, black
    }

    /// How large a symbol is beside its text.
    public enum SymbolScale: Int, Sendable {
        case unspecified = -1
        case `default` = 0
        case small, medium, large
    }

    // Safe: nothing is written after the initializer.
    public let scale: CGFloat
    public let renderingMode: RenderingMode
    private let pixels: CGSize
    private let bytes: Data?

    private init(pixels: CGSize, scale: CGFloat = 1, bytes: Data? = nil, renderingMode: RenderingMode = .automatic) {
        (self.pixels, self.scale, self.bytes, self.renderingMode) = (pixels, scale, bytes, renderingMode)
        super.init()
    }

    /// A picture without a size.
    public override convenience init() { self.init(pixels: .zero) }

    /// A picture of the app's assets. Every name gives one of 30 points, unless ``SimulatedScreen/assetNames`` says which there are.
    public convenience init?(named name: String) {
        guard SimulatedScreen.current.hasAsset(name) else { return nil }
        self.init(pixels: CGSize(width: 90, height: 90), scale: 3)
    }

    /// As `init(named:)`: there is one set of assets.
    public convenience init?(named name: String, in bundle: Bundle?, compatibleWith traitCollection: UITraitCollection?) {
        self.init(named: name)
    }

    /// A symbol of the system. Every name gives one.
    public convenience init?(systemName name: String) {
        guard !name.isEmpty else { return nil }
        self.init(pixels: CGSize(width: 60, height: 60), scale: 3)
    }

    /// As `init(systemName:)`.
    public convenience init?(systemName name: String, withConfiguration configuration: Configuration?) { self.init(systemName: name) }

    /// The picture of a file's bytes; nil unless they begin as PNG, JPEG or GIF does.
    public convenience init?(data: Data) { self.init(data: data, scale: 1) }

    public convenience init?(data: Data, scale: CGFloat) {
        guard scale > 0, let pixels = PictureSize.pixels(of: data) else { return nil }
        self.init(pixels: pixels, scale: scale, bytes: data)
    }

    public convenience init?(contentsOfFile path: String) {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        self.init(data: data)
    }

    public convenience init(cgImage: CGImage) { self.init(pixels: CGSize(width: cgImage.width, height: cgImage.height)) }

    /// Points.
    open var size: CGSize { CGSize(width: pixels.width / scale, height: pixels.height / scale) }

    /// Nil of a picture without a size.
    open var cgImage: CGImage? {
        pixels == .zero ? nil : CGImage(width: Int(pixels.width), height: Int(pixels.height))
    }

    /// The bytes that it was made of, where they are PNG. Nothing is encoded here.
    open func pngData() -> Data? { bytes.flatMap { $0.first == 0x89 ? $0 : nil } }

    /// The bytes that it was made of, where they are JPEG. Nothing is encoded here.
    open func jpegData(compressionQuality: CGFloat) -> Data? { bytes.flatMap { $0.first == 0xFF ? $0 : nil } }

    /// The same picture that keeps its own colours, or takes those of its surroundings.
    open func withRenderingMode(_ renderingMode: RenderingMode) -> UIImage {
        UIImage(pixels: pixels, scale: scale, bytes: bytes, renderingMode: renderingMode)
    }

    /// The same picture in one colour. Nothing is drawn.
    open func withTintColor(_ color: UIColor) -> UIImage { self }

    /// The same picture in one colour that it keeps, or not. Nothing is drawn.
    open func withTintColor(_ color: UIColor, renderingMode: RenderingMode) -> UIImage { withRenderingMode(renderingMode) }
}

/// What the first bytes of a picture's file say of its size.
private enum PictureSize {
    static func pixels(of data: Data) -> CGSize? {
        let bytes = [UInt8](data)
        if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]), bytes.count >= 24 {
            return size(number(bytes, 16, of: 4), number(bytes, 20, of: 4))
        }
        if bytes.starts(with: [0x47, 0x49, 0x46, 0x38]), bytes.count >= 10 {
            return size(Int(bytes[6]) | Int(bytes[7]) << 8, Int(bytes[8]) | Int(bytes[9]) << 8)
        }
        if bytes.starts(with: [0xFF, 0xD8]) { return ofFrames(bytes) }
        return nil
    }

    /// The size that stands in the frame of a JPEG.
    private static func ofFrames(_ bytes: [UInt8]) -> CGSize? {
        var place = 2
        while place + 9 <= bytes.count, bytes[place] == 0xFF {
            let marker = bytes[place + 1]
            if (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) {
                return size(number(bytes, place + 7, of: 2), number(bytes, place + 5, of: 2))
            }
            place += 2 + number(bytes, place + 2, of: 2)
        }
        return nil
    }

    private static func number(_ bytes: [UInt8], _ place: Int, of count: Int) -> Int {
        bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
    }

    private static func size(_ width: Int, _ height: Int) -> CGSize? {
        width > 0 && height > 0 ? CGSize(width: width, height: height) : nil
    }
}
