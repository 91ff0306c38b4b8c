import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization

/// Stands before our servers' routes: loses, delays and damages what is asked and answered about orders that have a plan. Without a plan
/// nothing is read.
struct OrderFaultMiddleware<Context: RequestContext>: RouterMiddleware {
    let book: OrderFaultBook

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let path = request.uri.path
        guard !book.isEmpty, let journey = FaultJourney.of(path), let read = try await Self.read(request) else {
            return try await next(request, context)
        }
        if journey.begins(by: request.method.rawValue, at: path, naming: read.names) { await book.begin(journey, read.names) }
        guard book.knows(journey, read.names) else { return try await next(read.request, context) }
        guard journey.isInterface(path) else {
            let response = try await answer(try await next(read.request, context), to: read, journey)
            return try await twisted(response, to: read, journey)
        }
        switch await book.claim(.request, of: journey, read.names)?.fault {
        case .requestLost: return PartyIntake.brokenConnection
        case .requestRefused:
            return try SandboxBody.json(
                ["error": ["code": "unavailable", "reason": "the request was refused on purpose (fault plan)"]], status: .serviceUnavailable
            )
        default: break
        }
        let response = try await answer(try await next(read.request, context), to: read, journey)
        guard let befallen = await book.claim(.reply, of: journey, read.names) else { return response }
        switch befallen.fault {
        case .replyLost: return PartyIntake.brokenConnection
        case .replyLate:
            try await Task.sleep(for: befallen.delay)
            return response
        case .replyCorrupt: return try await damaged(response, .corrupt)
        case .replyUnsigned: return try await damaged(response, .missing)
        default: return response
        }
    }

    private struct Read: Sendable {
        /// With the body that was read.
        var request: Request
        var names: MessageNames
    }

    /// The request's names; nil for one whose body may be too large to be looked at.
    private static func read(_ request: Request) async throws -> Read? {
        let length = request.headers[.contentLength].flatMap { Int($0) }
        let isBare = length == nil && request.headers[.transferEncoding] == nil
        guard isBare || (length ?? .max) <= OrderFaults.mostBytes else { return nil }
        var request = request
        let body = isBare ? ByteBuffer() : try await request.body.collect(upTo: OrderFaults.mostBytes)
        if !isBare { request.body = RequestBody(buffer: body) }
        return Read(
            request: request,
            names: MessageNames(
                path: request.uri.string, headers: request.headers.map { ($0.name.rawName, $0.value) },
                body: Array(body.readableBytesView)))
    }

    /// The answer, whose names the order has from now on where the request has changed something.
    private func answer(_ response: Response, to read: Read, _ journey: FaultJourney) async throws -> Response {
        guard read.request.method == .post || !journey.isInterface(read.request.uri.path) else { return response }
        var response = response
        let body = try await Self.whole(&response)
        let isInterface = journey.isInterface(read.request.uri.path)
        let answered = MessageNames(path: response.headers[.location] ?? "", body: isInterface ? body : [])
        await book.learn(journey, read.names, answered: answered)
        return response
    }

    /// A page or an answer of the wallet with the result that the plan wants.
    private func twisted(_ response: Response, to read: Read, _ journey: FaultJourney) async throws -> Response {
        var response = response
        let body = try await Self.whole(&response)
        guard let code = book.toldCode(journey, read.names) else { return response }
        let twist = ResultTwist(code: code)
        guard let told = twist.answer(body) ?? twist.page(String(decoding: body, as: UTF8.self)).map({ Array($0.utf8) }) else {
            return response
        }
        _ = await book.claim(.result, of: journey, read.names)
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: told))
        response.headers[.contentLength] = nil
        return response
    }

    private func damaged(_ response: Response, _ damage: SignatureDamage) async throws -> Response {
        var response = response
        let body = try await Self.whole(&response)
        guard let done = damage.done(to: response.headers.map { ($0.name.rawName, $0.value) }, body) else { return response }
        response.headers = HTTPFields(
            done.headers.compactMap { field in HTTPField.Name(field.name).map { HTTPField(name: $0, value: field.value) } })
        response.headers[.contentLength] = nil
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: done.body))
        return response
    }

    /// The answer's body, which the answer has still. One of no known length, a stream, stays unread.
    private static func whole(_ response: inout Response) async throws -> [UInt8] {
        guard let length = response.body.contentLength, length <= 1_048_576 else { return [] }
        let collected = Collected()
        try await response.body.write(CollectingWriter(collected: collected))
        let bytes = collected.bytes.withLock { $0 }
        response.body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes))
        return bytes
    }
}

/// What a body writes.
private final class Collected: Sendable {
    let bytes = Mutex<[UInt8]>([])
}

private struct CollectingWriter: ResponseBodyWriter {
    let collected: Collected
    mutating func write(_ buffer: ByteBuffer) async throws { collected.bytes.withLock { $0 += buffer.readableBytesView } }
    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
