package import BillfoldStorage
import Foundation
package import Hummingbird

/// The time that every party lives at, under `/clock`. In test mode only.
///
/// - `GET /clock`: `{"now": "2026-11-20T12:00:00Z", "offsetSeconds": 600}`.
/// - `PUT /clock` with one of `{"advanceSeconds": 60}`, `{"offsetSeconds": 660}` and `{"reset": true}`: moves it and answers as GET does.
///   The clock goes forward, by ten years in all; back to the time of day by a reset only, which is fit for an installation that is
///   begun anew: what was recorded in between then lies in the future.
package struct ClockRoutes: Sendable {
    private let clock: MovableClock

    package init(clock: MovableClock) { self.clock = clock }

    private enum Move: Decodable {
        case advance(Int64)
        case offset(Int64)
        case reset

        private enum CodingKeys: String, CodingKey, CaseIterable { case advanceSeconds, offsetSeconds, reset }

        init(from decoder: any Decoder) throws {
            try decoder.refuseKeys(besides: CodingKeys.allCases.map(\.stringValue), of: "the clock")
            let container = try decoder.container(keyedBy: CodingKeys.self)
            let keys = container.allKeys
            func refusal(_ reason: String) -> DecodingError {
                .dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: reason))
            }
            guard keys.count == 1, let key = keys.first else {
                throw refusal("one of advanceSeconds, offsetSeconds and reset moves the clock")
            }
            switch key {
            case .advanceSeconds: self = .advance(try container.decode(Int64.self, forKey: key))
            case .offsetSeconds: self = .offset(try container.decode(Int64.self, forKey: key))
            case .reset:
                guard try container.decode(Bool.self, forKey: key) else { throw refusal("reset is true or absent") }
                self = .reset
            }
            let seconds: Int64 =
                switch self {
                case .advance(let seconds), .offset(let seconds): seconds
                case .reset: 0
                }
            guard (0...ClockRoutes.longest).contains(seconds) else { throw refusal("the clock goes forward, by ten years at most") }
        }

        /// Seconds after the move.
        func applied(to seconds: Int64) throws -> Int64 {
            let next: Int64
            switch self {
            case .reset: return 0
            case .advance(let more): next = seconds + more
            case .offset(let wanted): next = wanted
            }
            guard next >= seconds else {
                throw SandboxRefusal(code: "clock-backwards", reason: "the clock is \(seconds) seconds ahead and goes forward", status: 409)
            }
            guard next <= ClockRoutes.longest else {
                throw SandboxRefusal(code: "clock-too-far", reason: "the clock goes ten years ahead at most", status: 409)
            }
            return next
        }
    }

    private static let longest: Int64 = 315_360_000

    private struct Reading: Encodable {
        var now: String
        var offsetSeconds: Int64
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let group = router.group("clock").add(middleware: SandboxErrors())
        group.get("") { [clock] _, _ in
            try await clock.refresh()
            return try Self.reading(clock)
        }
        group.put("") { [clock] request, _ in
            let move = try await SandboxBody.decode(Move.self, from: request)
            try await clock.move { try move.applied(to: $0 / 1_000_000) * 1_000_000 }
            return try Self.reading(clock)
        }
    }

    private static func reading(_ clock: MovableClock) throws -> Response {
        let now = Date(timeIntervalSince1970: TimeInterval(clock.now().microseconds / 1_000_000))
        return try SandboxBody.json(Reading(now: now.formatted(.iso8601), offsetSeconds: clock.offsetMicroseconds / 1_000_000))
    }
}
