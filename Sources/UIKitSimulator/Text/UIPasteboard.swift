import BillfoldConcurrency
public import Foundation

/// What the customer copied, on the current screen's device. Texts alone are kept.
open class UIPasteboard: NSObject {
    private let screen: SimulatedScreen

    private init(_ screen: SimulatedScreen) {
        self.screen = screen
        super.init()
    }

    open class var general: UIPasteboard { UIPasteboard(SimulatedScreen.current) }

    open var strings: [String]? {
        get { screen.copied.withLock { $0.isEmpty ? nil : $0 } }
        set { screen.copied.withLock { $0 = newValue ?? [] } }
    }

    open var string: String? {
        get { strings?.first }
        set { strings = newValue.map { [$0] } }
    }

    /// The text, where it is a link with a scheme.
    open var url: URL? {
        get { string.flatMap { URL(string: $0) }.flatMap { $0.scheme == nil ? nil : $0 } }
        set { string = newValue?.absoluteString }
    }

    open var hasStrings: Bool { strings != nil }
    open var hasURLs: Bool { url != nil }
}
