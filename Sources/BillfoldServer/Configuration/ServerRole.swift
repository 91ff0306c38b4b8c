import HTTPTypes

/// One part of Billfold that a process runs, for example `card-payments` or `console`. Each ``Capability`` has its own.
package struct ServerRole: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    package var rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }
    package init(stringLiteral value: String) { rawValue = value }
    package var description: String { rawValue }

    package static let console: Self = "console"

    /// Reads a comma-separated list, refusing a name that no capability has.
    package static func list(_ text: String, among all: [Self]) throws(ServerError) -> Set<Self> {
        var roles: Set<Self> = []
        for name in text.split(separator: ",") {
            let role = Self(rawValue: name.trimmingPrefix { $0 == " " }.lowercased())
            guard all.contains(role) else {
                throw ServerError(
                    code: .configurationInvalid,
                    reason: "'\(name)' is not a role; the roles are \(all.map(\.rawValue).joined(separator: ", "))",
                    status: .internalServerError)
            }
            roles.insert(role)
        }
        guard !roles.isEmpty else {
            throw ServerError(code: .configurationInvalid, reason: "no role was named", status: .internalServerError)
        }
        return roles
    }
}
