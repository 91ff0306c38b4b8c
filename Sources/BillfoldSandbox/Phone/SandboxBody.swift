import BillfoldJSON
import Foundation
import HTTPTypes
import Hummingbird

/// Reads and writes the JSON of the phone's and the shop's interfaces.
enum SandboxBody {
    static func decode<Body: Decodable>(_ type: Body.Type, from request: Request) async throws -> Body {
        let buffer = try await bytes(of: request)
        do {
            return try JSONDecoder().decode(type, from: Data(buffer.readableBytesView))
        } catch let error as DecodingError {
            throw SandboxRefusal(code: "body-malformed", reason: error.complaint, status: 400)
        } catch {
            throw SandboxRefusal(code: "body-malformed", reason: "the body is not of the expected form", status: 400)
        }
    }

    static func bytes(of request: Request) async throws -> ByteBuffer {
        do { return try await request.body.collect(upTo: 65_536) } catch {
            throw SandboxRefusal(code: "body-too-large", reason: "the body is too large", status: 413)
        }
    }

    static func json(_ value: some Encodable, status: HTTPResponse.Status = .ok) throws -> Response {
        Response(
            status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: try JSONDocument.encode(value))))
    }

    static func page(_ html: String, status: HTTPResponse.Status = .ok, contentSecurityPolicy: String) -> Response {
        var headers: HTTPFields = [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"]
        headers[.contentSecurityPolicy] = contentSecurityPolicy
        headers[.xContentTypeOptions] = "nosniff"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(string: html)))
    }
}

extension DecodingError {
    /// What is wrong with the body, without its content.
    var complaint: String { complaint(choices: [:]) }

    /// - Parameter choices: By a member's name, what it may be.
    func complaint(choices: [String: [String]]) -> String {
        switch self {
        // A value that is none of an enumeration's, which Swift says in words of its own.
        case .dataCorrupted(let context) where context.debugDescription.hasPrefix("Cannot initialize "):
            let member = context.codingPath.last?.stringValue ?? "the body"
            guard let known = choices[member] else { return "\(member) is none of the values that are known there" }
            return "\(member) is none of \(known.joined(separator: ", "))"
        case .dataCorrupted(let context), .keyNotFound(_, let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            return context.debugDescription
        @unknown default: return "the body is not of the expected form"
        }
    }
}

/// A key of any name, for refusing unknown ones.
struct AnyCodingKey: CodingKey {
    var stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}

extension Decoder {
    /// Refuses an object with a key that is not in the list, so that a misspelt one is not taken for none.
    func refuseKeys(besides known: [String], of what: String) throws {
        for key in try container(keyedBy: AnyCodingKey.self).allKeys where !known.contains(key.stringValue) {
            throw DecodingError.dataCorrupted(
                .init(
                    codingPath: codingPath,
                    debugDescription: "\(what) has no \(key.stringValue); there are \(known.joined(separator: ", "))"))
        }
    }
}

/// Answers refusals as `{"error":{"code","reason"}}`, and refuses what a page of another origin makes a browser send.
struct SandboxErrors<Context: RequestContext>: RouterMiddleware {
    private struct ErrorBody: Encodable {
        struct Detail: Encodable {
            var code: String
            var reason: String
            var offers: [TapOffer]?
        }
        var error: Detail
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            let authority = request.head.authority?.lowercased() ?? ""
            for origin in request.headers[values: .origin].map({ $0.lowercased() })
            where origin != "http://\(authority)" && origin != "https://\(authority)" {
                throw SandboxRefusal(code: "foreign-origin", reason: "requests from that origin are not taken", status: 403)
            }
            return try await next(request, context)
        } catch let refusal as SandboxRefusal {
            return try SandboxBody.json(
                ErrorBody(error: .init(code: refusal.code, reason: refusal.reason, offers: refusal.offers)),
                status: .init(code: refusal.status))
        }
    }
}
