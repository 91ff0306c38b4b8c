/// Where one capability is.
package struct CapabilityAddress: Sendable, Equatable {
    /// As other servers reach it.
    package var origin: String
    /// As phones and browsers reach it.
    package var pages: String
    /// Where each of several parties is that are one capability, by their names.
    package var members: [String: String]

    package init(_ origin: String, pages: String? = nil, members: [String: String] = [:]) {
        self.origin = origin
        self.pages = pages ?? origin
        self.members = members
    }
}

/// Where the capabilities of an installation find each other, whether they run in this process or in another.
package struct Addresses: Sendable {
    private var known: [ServerRole: CapabilityAddress] = [:]

    package init() {}

    /// A capability that nobody has named is nowhere: its origin is empty, and nothing connects to that.
    package subscript(role: ServerRole) -> CapabilityAddress {
        get { known[role] ?? CapabilityAddress("") }
        set { known[role] = newValue }
    }
}
