import AsyncHTTPClient
import BillfoldSandbox
import Foundation
import NIOCore
import NIOHTTP1

/// The person with the super app's phone: taps, and waits for what the phone shows.
struct MiniProgramTourPhone: Sendable {
    let phone: String

    /// Takes up a phone of the super app at an origin.
    init(at origin: String) async throws {
        let screen = try await TourClient.post("\(origin)/super-app/phones", [String: String]()).read(SuperAppScreen.self)
        phone = "\(origin)/super-app/phones/\(screen.session)"
    }

    @discardableResult
    func tap(_ tap: SuperAppTap) async throws -> SuperAppScreen {
        try await TourClient.post("\(phone)/taps", tap).read(SuperAppScreen.self)
    }

    /// The system opens the app with an address.
    func open(_ url: String) async throws {
        _ = try await TourClient.post("\(phone)/open", ["url": url]).read(SuperAppScreen.self)
    }

    /// The first screen that is as it should be; refuses with `not-shown` when none comes.
    ///
    /// - Parameters:
    ///   - what: What is waited for, for the report.
    ///   - isRight: Whether the screen shows it.
    func until(_ what: String, _ isRight: (SuperAppScreen) -> Bool) async throws -> SuperAppScreen {
        let end = ContinuousClock.now.advanced(by: .seconds(30))
        var screen = try await TourClient.get(phone).read(SuperAppScreen.self)
        while !isRight(screen) {
            // What the phone says did not work does not come right by waiting.
            guard screen.problem == nil, ContinuousClock.now < end else {
                let status = screen.problem?.reason ?? screen.value("status").map { "“\($0)”" } ?? screen.place.rawValue
                throw CommandFailure(.refused, code: "not-shown", reason: "the phone never showed \(what), but \(status)")
            }
            screen = try await TourClient.get("\(phone)?after=\(screen.revision)&wait=5").read(SuperAppScreen.self)
        }
        return screen
    }

    /// Taps a control of the page.
    func touch(_ handler: String, _ dataset: [String: String]? = nil) async throws {
        try await tap(SuperAppTap(.event, handler, dataset: dataset))
    }

    /// The program's own line of status, once it says what it should.
    func says(_ words: String) async throws -> SuperAppScreen {
        try await until("“\(words)”") { $0.value("status")?.contains(words) == true }
    }

    func sheet(_ kind: SuperAppScreen.Sheet.Kind) async throws -> SuperAppScreen.Sheet {
        let screen = try await until("a sheet (\(kind.rawValue))") { $0.sheet?.kind == kind }
        guard let sheet = screen.sheet else { throw CommandFailure(.refused, code: "not-shown", reason: "the sheet went away") }
        return sheet
    }

    /// Holds a picture before the scanner, or chooses it from the album.
    func show(_ picture: [UInt8], from source: String) async throws {
        var request = HTTPClientRequest(url: "\(phone)/pictures?from=\(source)")
        request.method = .POST
        request.body = .bytes(ByteBuffer(bytes: picture))
        let answer = try await HTTPClient.shared.execute(request, timeout: .seconds(30))
        guard answer.status.code == 204 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the scanner answered \(answer.status.code)")
        }
    }

    // MARK: The page in the frame

    private struct Reply: Decodable {
        var kind: String
        var cb: Int?
        var ok: Bool?
    }

    /// Says what the bridge of a page says when it calls, as a page of an origin that has just been touched.
    func call(_ number: Int, name: String, arguments: String = "null", origin: String, hasTap: Bool = true) async throws {
        struct Frame: Encodable {
            var text: String
            var origin: String
            var hasTap: Bool
        }
        let text = #"{"v":1,"kind":"call","seq":\#(number),"name":"\#(name)","args":\#(arguments)}"#
        let answer = try await TourClient.post("\(phone)/frames", Frame(text: text, origin: origin, hasTap: hasTap))
        guard answer.status == 204 else {
            throw CommandFailure(.refused, code: "unexpected-answer", reason: "the frame's message was answered \(answer.status)")
        }
    }

    /// What the page was answered, and for which origin.
    func answer(to number: Int) async throws -> (ok: Bool, text: String, origin: String) {
        func found(_ screen: SuperAppScreen) -> (Bool, String, String)? {
            for delivery in screen.deliveries {
                guard let reply = try? JSONDecoder().decode(Reply.self, from: Data(delivery.text.utf8)), reply.kind == "reply",
                    reply.cb == number
                else { continue }
                return (reply.ok == true, delivery.text, delivery.origin)
            }
            return nil
        }
        let screen = try await until("an answer for the page") { found($0) != nil }
        guard let answer = found(screen) else { throw CommandFailure(.refused, code: "not-shown", reason: "the answer went away") }
        return answer
    }
}

extension SuperAppScreen {
    /// What the page's data has under a name.
    func value(_ name: String) -> String? { program?.data?.first { $0.name == name }?.value }
}
