import BillfoldJSON
import HTTPTypes
package import Hummingbird
import NIOCore

extension Request {
    /// The body, read whole. Refuses with 413 `body-too-large`.
    package func bytes(upTo limit: Int) async throws -> [UInt8] {
        do {
            return Array(buffer: try await body.collect(upTo: limit))
        } catch is NIOTooManyBytesError {
            throw ServerError(code: .bodyTooLarge, reason: "the body has more than \(limit) bytes", status: .contentTooLarge)
        }
    }

    /// Waits until the request has come whole, so that nothing is done for one of which the rest never comes and that is refused for it. For
    /// routes that need nothing of a body.
    package func wholeWithoutBody() async throws { _ = try await bytes(upTo: 4_096) }

    /// The beginning of the body, and whether that is all of it. What is beyond is read and thrown away, so that a sender which reads no
    /// answer before it has sent all gets one. How much that is at most, the listener's limits say.
    package func head(upTo limit: Int) async throws -> (bytes: [UInt8], isWhole: Bool) {
        var bytes: [UInt8] = []
        var isWhole = true
        for try await buffer in body {
            let room = limit - bytes.count
            bytes += buffer.readableBytesView.prefix(room)
            if buffer.readableBytes > room { isWhole = false }
        }
        return (bytes, isWhole)
    }

    /// A JSON body, read whole. Refuses with 415 `unsupported-media-type` or 413 `body-too-large`.
    package func json(upTo limit: Int) async throws -> [UInt8] {
        try requireMediaType("application/json")
        return try await bytes(upTo: limit)
    }

    /// A value of a JSON body that has no other members than the value's own. Refuses as ``json(upTo:)`` does, and with 400
    /// `malformed-request` what is not strict JSON, has another member, or does not fit.
    ///
    /// - Parameter members: The names of the value's members.
    package func decoded<Body: Decodable>(_ type: Body.Type, of members: Set<String>, upTo limit: Int) async throws -> Body {
        let bytes = try await json(upTo: limit)
        let object: JSONObject
        do throws(JSONError) { object = try JSONReader.readObject(bytes, maximumBytes: limit) } catch {
            throw ServerError(code: .malformedRequest, reason: "the body is not strict JSON: \(error.code)", status: .badRequest)
        }
        guard object.members(besides: members).isEmpty else {
            throw ServerError(
                code: .malformedRequest, reason: "the body has a member that this operation does not take", status: .badRequest)
        }
        return try JSONDocument.decode(type, .object(object))
    }

    /// The token of an `Authorization: Bearer` header of at most 512 bytes (RFC 6750 section 2.1); the scheme in any letter case.
    package var bearer: String? {
        guard let header = headers.value(of: .authorization), header.utf8.count <= 512 else { return nil }
        // A header holds no byte that this would make a letter or a space of.
        guard header.utf8.prefix(7).lazy.map({ $0 | 0x20 }).elementsEqual("bearer ".utf8) else { return nil }
        return String(Substring(header.utf8.dropFirst(7)))
    }
}
