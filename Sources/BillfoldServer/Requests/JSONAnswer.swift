import BillfoldJSON
package import HTTPTypes
package import Hummingbird

extension HTTPFields {
    /// Whether an answer repeats the first one to the same idempotency key.
    private static let isReplayedName = HTTPField.Name("Idempotent-Replayed")

    /// The fields, with `Idempotent-Replayed: true` where the answer is the first one to its idempotency key, given again.
    package func replaying(_ isReplayed: Bool) -> HTTPFields {
        guard isReplayed, let name = Self.isReplayedName else { return self }
        var fields = self
        fields[name] = "true"
        return fields
    }
}

/// JSON answers, keys sorted, so that equal values have equal bytes.
package enum JSONAnswer {
    package static func make(_ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) throws -> Response {
        verbatim(try JSONDocument.encode(value), status: status, headers: headers)
    }

    /// JSON that is already encoded, such as what was stored for a repetition, or what another server answered.
    package static func verbatim(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
