public import Foundation

/// Stands in for Core Graphics' type: how a view is moved, stretched or turned. Nothing is drawn; it is set and read.
public struct CGAffineTransform: Hashable, Sendable {
    public var a: CGFloat
    public var b: CGFloat
    public var c: CGFloat
    public var d: CGFloat
    public var tx: CGFloat
    public var ty: CGFloat

    public static let identity = CGAffineTransform(scaleX: 1, y: 1)

    public init(scaleX sx: CGFloat, y sy: CGFloat) { (a, b, c, d, tx, ty) = (sx, 0, 0, sy, 0, 0) }

    public init(translationX tx: CGFloat, y ty: CGFloat) { (a, b, c, d, self.tx, self.ty) = (1, 0, 0, 1, tx, ty) }

    public init(rotationAngle angle: CGFloat) {
        let (sine, cosine) = (CGFloat(sin(Double(angle))), CGFloat(cos(Double(angle))))
        (a, b, c, d, tx, ty) = (cosine, sine, -sine, cosine, 0, 0)
    }
}
