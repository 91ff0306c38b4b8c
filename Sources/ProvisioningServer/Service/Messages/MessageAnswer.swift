import HTTPTypes

/// What it means that a sender of pushes, or the processor, did not answer a message with success: one rule for both
/// (provisioning.md#pushes [I]).
enum MessageAnswer {
    /// What a later attempt may hear otherwise although it is 4xx: a time that ran out, a connection that was too early, a pace.
    private static let passing: Set<HTTPResponse.Status> = [.requestTimeout, .tooEarly, .tooManyRequests]

    /// Whether the message is sent again. Any other 4xx is final: whoever refused the message, its address or our credential takes no
    /// second copy either.
    static func isTransient(_ status: HTTPResponse.Status) -> Bool { status.kind != .clientError || passing.contains(status) }

    /// Whether the message may have been taken over all the same.
    static func mayHaveArrived(_ status: HTTPResponse.Status) -> Bool { status.kind != .clientError || status == .requestTimeout }
}
