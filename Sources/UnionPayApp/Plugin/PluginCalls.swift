import BillfoldConcurrency
import Foundation

/// What the three plug-ins have in common: the launcher, what is checked before it is called, and what is told of faults.
final class PluginCalls: Sendable {
    private struct State {
        var launcher: (any PaymentLauncher)?
        var opener: (@Sendable (URL) -> Void)?
        var lastNumber: String?
        var faults: [PluginFault] = []
    }

    /// How many faults are kept; older ones are dropped.
    private static let capacity = 100

    private let state = Locked(State())

    var launcher: (any PaymentLauncher)? {
        get { state.withLock { $0.launcher } }
        set { state.withLock { $0.launcher = newValue } }
    }

    var opener: (@Sendable (URL) -> Void)? {
        get { state.withLock { $0.opener } }
        set { state.withLock { $0.opener = newValue } }
    }

    var faults: [PluginFault] { state.withLock { $0.faults } }

    func tell(_ code: PluginFault.Code, _ reason: String) {
        state.withLock { state in
            state.faults.append(PluginFault(code: code, reason: reason))
            state.faults.removeFirst(max(0, state.faults.count - Self.capacity))
        }
    }

    /// Checks what every plug-in is given. Nil: a fault was told, and nothing is to be shown.
    func order(_ number: String?, mode: String?, hasScreen: Bool, way: PluginOrder.Way) -> PluginOrder? {
        guard let number, !number.isEmpty else {
            tell(.numberMissing, "there is no tn: ask the server for one, and show its refusal")
            return nil
        }
        guard let known = mode.flatMap(PluginOrder.Mode.init(rawValue:)) else {
            tell(.modeUnknown, "mode is neither 00 nor 01")
            return nil
        }
        guard hasScreen else {
            tell(.screenMissing, "no view controller was given")
            return nil
        }
        if number.utf8.count != 21 || !number.utf8.allSatisfy({ (48...57).contains($0) }) {
            tell(.numberStrange, "tn is not 21 digits; a line break from the server's page is the usual cause")
        }
        #if canImport(Darwin)
            // Elsewhere the main actor may run on any thread.
            if !Thread.isMainThread { tell(.offMainThread, "call the plug-in on the main thread") }
        #endif
        return PluginOrder(number: number, mode: known, way: way)
    }

    func launch(_ order: PluginOrder, end: @escaping @Sendable (PluginEnd) -> Void) -> Bool {
        guard let launcher else {
            tell(.notSetUp, "UPPaymentControl.default().launcher is not set")
            return false
        }
        let first = FirstEnd(end)
        state.withLock { $0.lastNumber = order.number.trimmingCharacters(in: .whitespacesAndNewlines) }
        return launcher.launch(order) { first.give($0) }
    }

    /// Tells what is odd about a result. Any app may open a URL of the scheme, so what one says is shortened.
    func examine(_ result: PluginResult) {
        func brief(_ text: String) -> String {
            text.utf8.count <= 32 && text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? text : "‹\(text.utf8.count) bytes›"
        }
        if result.word == nil { tell(.wordUnknown, "code is \(brief(result.code))") }
        if !result.data.isEmpty, result.signed == nil { tell(.dataUnreadable, "data is no JSON object") }
        if let signed = result.claim("pay_result"), !signed.utf8.elementsEqual(result.code.utf8) {
            tell(.wordsDiffer, "code is \(brief(result.code)), and the signed text says \(brief(signed))")
        }
        let last = state.withLock { $0.lastNumber }
        if let number = result.claim("tn"), let last, number != last { tell(.otherNumber, "the result is of another payment") }
    }
}

/// The end of one payment: the first counts.
private final class FirstEnd: Sendable {
    private let end: Locked<(@Sendable (PluginEnd) -> Void)?>

    init(_ end: @escaping @Sendable (PluginEnd) -> Void) { self.end = Locked(end) }

    func give(_ outcome: PluginEnd) {
        let end = end.withLock { end in
            defer { end = nil }
            return end
        }
        end?(outcome)
    }
}
