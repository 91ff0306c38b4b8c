package import BillfoldStorage
import Foundation
import HTTPTypes
package import Hummingbird

/// The time that every party lives at, under `/clock`. In test mode only.
///
/// - `GET /clock`: `{"now": "2026-11-20T12:00:00Z", "offsetSeconds": 600}`.
/// - `PUT /clock` with one of `{"advanceSeconds": 60}`, `{"offsetSeconds": 660}` and `{"reset": true}`: moves it and answers as GET does.
///   The clock goes forward, by ten years in all; back to the time of day by a reset only, which is fit for an installation that is
///   begun anew: what was recorded in between then lies in the future.
///
/// Whoever shows the key of a space reads and moves that space's time, ``SpaceClock``, and nobody else's: `offsetSeconds` is then how far it
/// is ahead of everybody's. It goes forward, by 400 days in all, and never back.
package struct ClockRoutes: Sendable {
    private let clock: MovableClock
    private let spaces: SpaceClock

    package init(clock: MovableClock, spaces: SpaceClock) { (self.clock, self.spaces) = (clock, spaces) }

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
        ///
        /// - Parameter limit: The furthest, and what that is called; a space's has none to reset to.
        func applied(to seconds: Int64, limit: (seconds: Int64, name: String), isSpace: Bool = false) throws -> Int64 {
            let next: Int64
            switch self {
            case .reset where isSpace:
                throw SandboxRefusal(code: "clock-backwards", reason: "a space's time never goes back; register a new one", status: 409)
            case .reset: return 0
            case .advance(let more): next = seconds + more
            case .offset(let wanted): next = wanted
            }
            guard next >= seconds else {
                throw SandboxRefusal(code: "clock-backwards", reason: "the clock is \(seconds) seconds ahead and goes forward", status: 409)
            }
            guard next <= limit.seconds else {
                throw SandboxRefusal(code: "clock-too-far", reason: "the clock goes \(limit.name) ahead at most", status: 409)
            }
            return next
        }
    }

    private static let longest: Int64 = 315_360_000
    /// A merchant's last window for refunds is a year long.
    private static let longestOfSpace: Int64 = 400 * 86_400

    private struct Reading: Encodable {
        var now: String
        var offsetSeconds: Int64
        /// Whose time it is; nobody's in particular where there is none.
        var space: String?
    }

    package func addRoutes<Context: RequestContext>(to router: some RouterMethods<Context>) {
        let group = router.group("clock").add(middleware: SandboxErrors())
        group.get("") { request, _ in
            try await clock.refresh()
            guard let holder = Self.holder(request) else { return try reading() }
            try await spaces.refresh()
            return try reading(holder)
        }
        group.put("") { request, _ in
            let move = try await SandboxBody.decode(Move.self, from: request)
            guard let holder = Self.holder(request) else {
                try await clock.move {
                    try move.applied(to: $0 / 1_000_000, limit: (Self.longest, "ten years")) * 1_000_000
                }
                return try reading()
            }
            try await spaces.change { spaces in
                let place = try Self.place(of: holder, in: spaces)
                spaces[place].offsetMicroseconds =
                    try move.applied(
                        to: spaces[place].offsetMicroseconds / 1_000_000, limit: (Self.longestOfSpace, "400 days"), isSpace: true)
                    * 1_000_000
            }
            return try reading(holder)
        }
    }

    /// A hash of the key that the caller shows; `nil` where there is none.
    private static func holder(_ request: Request) -> String? {
        request.headers[.authorization].map { PartyCredentials.hash($0.hasPrefix("Bearer ") ? String($0.dropFirst(7)) : "") }
    }

    private static func place(of holder: String, in spaces: [Space]) throws -> Int {
        guard let place = spaces.firstIndex(where: { $0.keys.contains(holder) }) else {
            throw SandboxRefusal(
                code: "unauthorized",
                reason:
                    "the key is that of no space, or was ended by a newer one: 'billfold sandbox register merchant --space', or of an "
                    + "acquirer, gives a space and its key, and 'billfold sandbox parties' says in which folder each key is",
                status: 401)
        }
        return place
    }

    private func reading(_ holder: String? = nil) throws -> Response {
        let known = spaces.spaces
        let space = try holder.map { known[try Self.place(of: $0, in: known)] }
        let (offset, ahead) = (clock.offsetMicroseconds, space?.offsetMicroseconds ?? 0)
        let now = Date(timeIntervalSince1970: TimeInterval((clock.now().microseconds + ahead) / 1_000_000))
        return try SandboxBody.json(
            Reading(now: now.formatted(.iso8601), offsetSeconds: (space == nil ? offset : ahead) / 1_000_000, space: space?.name))
    }
}
