package import BillfoldPayments
package import BillfoldStorage
package import Hummingbird
package import ServiceLifecycle

/// What a capability adds to its process.
package struct CapabilityPart: Sendable {
    package typealias Routes = @Sendable (Router<ServerRequestContext>) -> Void

    /// What it serves on the listener of its place, which it shares with the others there.
    package var routes: [Routes] = []
    /// Routes that several capabilities need and that are added once, by a name for each.
    package var sharedRoutes: [String: Routes] = [:]
    /// What these routes refuse, as callers see it.
    package var errors: @Sendable (ErrorMapping) -> ErrorMapping = { $0 }
    /// In bytes, of what one of these routes takes. Each route has a limit of its own; the listener's is for all.
    package var largestBody = 0
    /// Paths of these routes that read too large a body to its end, with the bytes that they are sent at most.
    package var drainedBodies: [String: Int] = [:]
    /// In bytes, of the longest address that one of these routes takes.
    package var longestAddress = 0
    /// What paths of these routes begin with that other programs of the installation call by themselves: their successes are no news.
    package var quietRoutes: Set<String> = []
    /// Paths of these routes that a form on a page of any origin may be posted to.
    package var foreignForms: Set<String> = []
    /// Names of ours that the listener answers for on loopback.
    package var hosts: Set<String> = []
    package var workers: [any Service] = []
    /// What the program says of it when everything listens, such as where a person can look.
    package var announcements: [String] = []
    /// What it puts on the way between our servers of the same process and others; of a party of the sandbox alone.
    package var interposition: Interposition?
    /// What it shows and lets people do at the console of the same process.
    package var console: ConsoleShare?

    package init() {}
}

/// What stands between our servers and those whom they speak with, in test mode, so that the servers know nothing of it.
package struct Interposition: Sendable {
    /// What our servers send with from then on.
    package var sender: @Sendable (any HTTPSender) -> any HTTPSender
    /// What is done before the routes that are added to our listener afterwards.
    package var before: CapabilityPart.Routes

    package init(sender: @escaping @Sendable (any HTTPSender) -> any HTTPSender, before: @escaping CapabilityPart.Routes) {
        self.sender = sender
        self.before = before
    }
}

/// What a capability adds to the console of its process.
package struct ConsoleShare: Sendable {
    package var desks: [any ConsoleDesk] = []
    package var notices: [UnmatchedNoticeOffice] = []
    /// What it tells back ends.
    package var events: [any EventOffice] = []
    /// By the kind of approval.
    package var actions: [String: ApprovalAction] = [:]
    /// Where its audit chains are, and whose.
    package var chains: (database: any Database, owners: [MerchantID])?
    /// The installation's main store, which keeps the console's operators and what they do; of one capability at most.
    package var mainStore: (any Database)?

    package init() {}
}
