import BillfoldJSON
package import HTTPTypes
package import Hummingbird

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
