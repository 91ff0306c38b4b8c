/// Stands in for Core Graphics' class: a picture is its size here.
public final class CGImage: Sendable {
    /// Pixels.
    public let width: Int
    /// Pixels.
    public let height: Int

    public init(width: Int, height: Int) { (self.width, self.height) = (width, height) }
}
