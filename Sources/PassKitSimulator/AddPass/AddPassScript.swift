/// A customer who knows beforehand what to tap.
public struct AddPassScript: Sendable {
    /// Which of the offered devices; the first one when none is of this kind.
    public var device: DeviceKind
    public var acceptsTerms: Bool
    /// The type of the method to prove by; nil puts the proof off.
    public var method: String?
    /// Reads the code, wherever it was sent; nil gives up and puts the proof off. Asked again after a refusal.
    public var code: @Sendable () async -> String?

    public init(
        device: DeviceKind = .phone, acceptsTerms: Bool = true, method: String? = nil,
        code: @escaping @Sendable () async -> String? = { nil }
    ) {
        self.device = device
        self.acceptsTerms = acceptsTerms
        self.method = method
        self.code = code
    }

    /// What the customer does next; for a phase in which the flow waits for him.
    public func action(on state: AddPassState) async -> AddPassSheet.Action {
        switch state.phase {
        case .introduction: return .next
        case .choosingDevice:
            return (state.devices.first { $0.kind == device } ?? state.devices.first).map { .chooseDevice($0.id) } ?? .cancel
        case .terms: return acceptsTerms ? .acceptTerms : .declineTerms
        case .choosingMethod: return state.methods.first { $0.type == method && !$0.isBlocked }.map { .chooseMethod($0.id) } ?? .later
        case .enteringCode: return await code().map { .enterCode($0) } ?? .later
        default: return .done
        }
    }
}

extension AddPassSheet {
    /// Plays a customer to the end; returns the last state before the flow closed.
    @discardableResult
    public func play(_ script: AddPassScript) async -> AddPassState {
        var last = state
        while true {
            await settle()
            guard !state.phase.isOver else { return last }
            last = state
            perform(await script.action(on: last))
        }
    }
}
