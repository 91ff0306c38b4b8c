import BillfoldJSON

/// Reads request bodies, refusing with `malformed-request`.
typealias RequestReader = ClosedObjectReader<AlipayServerError>

extension AlipayServerError: RequestRefusal {
    package static func malformed(_ reason: String) -> Self { Self(code: .malformedRequest, reason: reason) }
}
