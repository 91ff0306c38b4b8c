#if !canImport(ObjectiveC)
    /// A method's Objective-C name. Where there is no Objective-C, `#selector` does not compile either: write `Selector("pay:")`.
    public struct Selector: Hashable, Sendable, ExpressibleByStringLiteral, CustomStringConvertible {
        /// With a colon for each argument, such as `pay:`.
        public let description: String

        public init(_ name: String) { description = name }
        public init(stringLiteral name: String) { description = name }
    }
#else
    public import ObjectiveC
#endif

/// Takes the selectors that are sent to an object. No runtime finds a method by its name here, so a test's own extension of the app's class says
/// which method is meant.
@MainActor
@preconcurrency
public protocol SelectorReceiver: AnyObject {
    /// Calls the method of that name.
    ///
    /// - Parameters:
    ///   - selector: The name, as the app gave it to the control.
    ///   - sender: The control.
    /// - Returns: False where the object has no such method: on a device the app crashes.
    func receive(_ selector: Selector, from sender: Any?) -> Bool
}

extension Selector {
    /// Calls the method of that name, or records that the object does not take it.
    @MainActor
    @discardableResult
    static func send(_ selector: Selector, to object: AnyObject, from sender: Any?) -> Bool {
        if (object as? any SelectorReceiver)?.receive(selector, from: sender) ?? false { return true }
        SimulatedScreen.current.record(.selectorNotTaken, "\(type(of: object)): \(selector)")
        return false
    }
}
