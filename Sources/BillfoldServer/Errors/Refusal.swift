import BillfoldJSON
import Foundation
public import HTTPTypes
package import Hummingbird

/// An error as a caller sees it: a status and `{"error":{"code","reason"}}`.
public struct Refusal: Sendable, Hashable {
    public var status: HTTPResponse.Status
    /// Stable; programs compare it.
    public var code: String
    /// For people; may change.
    public var reason: String
    public var headers: HTTPFields
    /// What programs are told beside code and reason, by name.
    package var details: [String: String] = [:]

    public init(status: HTTPResponse.Status, code: String, reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.reason = reason
        self.headers = headers
    }

    /// The JSON body.
    package var body: [UInt8] {
        struct Body: Encodable { var error: [String: String] }
        let error = details.merging(["code": code, "reason": reason]) { _, own in own }
        // Encoding strings cannot fail; were it to, the constant says the same without a reason.
        return (try? JSONDocument.encode(Body(error: error)))
            ?? Array(#"{"error":{"code":"internal","reason":""}}"#.utf8)
    }

    package var response: Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
    }
}
