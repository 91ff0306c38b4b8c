import HTTPTypes

/// Which addresses a counterparty may name.
public struct AddressPolicy: Sendable {
    package var ports: Set<Int>
    package let privateOrigins: Set<String>

    /// - Parameters:
    ///   - mode: Private origins are refused in production, with `configuration-invalid`.
    ///   - ports: Those that a public address may have.
    ///   - privateOrigins: On private networks, registered by an operator, for example `http://127.0.0.1:8082`.
    public init(mode: ServerMode, ports: Set<Int> = [443, 8443], privateOrigins: Set<String> = []) throws(ServerError) {
        guard mode == .test || privateOrigins.isEmpty else {
            throw ServerError(
                code: .configurationInvalid, reason: "private origins cannot be registered in production mode", status: .internalServerError
            )
        }
        self.ports = ports
        var exact: Set<String> = []
        for origin in privateOrigins {
            guard let destination = try? Destination(origin) else {
                throw ServerError(code: .configurationInvalid, reason: "'\(origin)' is no origin", status: .internalServerError)
            }
            exact.insert(destination.origin)
        }
        self.privateOrigins = exact
    }

    /// Public addresses alone, in every mode.
    package static let publicAddresses = Self(ports: [443, 8443])

    private init(ports: Set<Int>) { (self.ports, privateOrigins) = (ports, []) }

    /// Whether the destination is exactly a registered origin, which needs no public address.
    func isRegistered(_ destination: Destination) -> Bool { privateOrigins.contains(destination.origin) }

    /// What is wrong with an address that a counterparty names, as far as it can be seen without a lookup; `nil` where nothing is.
    ///
    /// - Parameter registered: Further exact origins on private networks, those of one counterparty.
    package func problem(with url: String, registered: Set<String> = []) -> String? {
        let destination: Destination
        do throws(SendFailure) { destination = try Destination(url) } catch { return error.reason }
        if isRegistered(destination) || Self.names(destination, among: registered) { return nil }
        guard let problem = problem(withPublic: destination) else { return nil }
        // What is registered is the counterparty's own to know.
        guard !registered.isEmpty else { return problem }
        let known = registered.sorted().joined(separator: ", ")
        return "\(destination.origin) is none of the registered origins (\(known)), and not public: \(problem)"
    }

    /// What is wrong with an address that has to be public; `nil` where only a lookup could tell.
    private func problem(withPublic destination: Destination) -> String? {
        do throws(SendFailure) { try checkBeforeLookup(destination) } catch { return error.reason }
        guard let octets = destination.octets else { return LoopbackHost.contains(destination.host) ? "it names this machine" : nil }
        return octets.isPublic ? nil : "it is not a public address"
    }

    /// Whether a URL lies at exactly one of these origins.
    package static func isURL(_ url: String, at origins: Set<String>) -> Bool {
        (try? Destination(url)).map { names($0, among: origins) } ?? false
    }

    /// Whether a URL's host is this machine by its name or its loopback address, on whatever port.
    package static func namesThisMachine(_ url: String) -> Bool {
        (try? Destination(url)).map { LoopbackHost.contains($0.host) } ?? false
    }

    private static func names(_ destination: Destination, among origins: Set<String>) -> Bool {
        // Most origins stand as they are compared.
        origins.contains(destination.origin) || origins.contains { (try? Destination($0))?.origin == destination.origin }
    }

    /// Refuses what no lookup could make acceptable.
    func checkBeforeLookup(_ destination: Destination) throws(SendFailure) {
        func refused(_ reason: String) -> SendFailure { SendFailure(code: .addressRefused, reason: reason, mayHaveArrived: false) }
        let usable = ports.sorted().map(String.init).joined(separator: " or ")
        guard destination.scheme == "https" else { throw refused("the scheme is http: only https is taken, on port \(usable)") }
        guard ports.contains(destination.port) else { throw refused("the port is \(destination.port): only \(usable) is taken") }
        guard !destination.isDisguisedNumber else { throw refused("the host is a number that is not written as an address") }
    }

    /// Refuses unless every address the name leads to is public: one private address among them is an attack in waiting.
    func check(_ addresses: [ResolvedAddress]) throws(SendFailure) {
        guard !addresses.isEmpty, addresses.allSatisfy(\.isPublic) else {
            throw SendFailure(code: .addressRefused, reason: "the name leads to an address that is not public", mayHaveArrived: false)
        }
    }
}
