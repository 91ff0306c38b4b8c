public import Foundation

/// How what is behind a view looks through it. Nothing is drawn.
@MainActor
@preconcurrency
open class UIVisualEffect: NSObject {
    public override init() { super.init() }
}

/// What is behind a view, blurred.
@MainActor
@preconcurrency
open class UIBlurEffect: UIVisualEffect {
    /// How bright it is.
    public enum Style: Int, Sendable {
        case extraLight = 0
        case light, dark
        case regular = 4
        case prominent, systemUltraThinMaterial, systemThinMaterial, systemMaterial, systemThickMaterial, systemChromeMaterial
    }

    public override init() { super.init() }

    public convenience init(style: Style) { self.init() }
}

/// A view through which what is behind it is seen. What an app adds to `contentView` is seen.
@MainActor
@preconcurrency
open class UIVisualEffectView: UIView {
    open var effect: UIVisualEffect?
    public let contentView = UIView(frame: .zero)

    public init(effect: UIVisualEffect?) {
        self.effect = effect
        super.init(frame: .zero)
        addSubview(contentView)
    }

    /// There are no archives here: nil, always.
    public required init?(coder: NSCoder) { nil }
}
