import Foundation

/// How many files and sockets the process may have open (getrlimit(2), RLIMIT_NOFILE), and how many of them connections may be.
package enum DescriptorLimit {
    /// Beyond this more would help nobody, and programs that this one starts may look at every number up to the limit.
    static let enough = 65_536

    /// Raises the limit as far as the system lets the process, and returns it.
    @discardableResult package static func raise() -> Int {
        var limit = rlimit()
        guard getrlimit(resource, &limit) == 0 else { return 1_024 }
        let wanted = min(limit.rlim_max, rlim_t(enough))
        if limit.rlim_cur < wanted {
            var raised = limit
            raised.rlim_cur = wanted
            if setrlimit(resource, &raised) == 0 { return Int(wanted) }
        }
        return Int(min(limit.rlim_cur, rlim_t(Int32.max)))
    }

    /// The most connections that each of some listeners may have, so that stores, files and calls to others never lack a descriptor: a
    /// quarter of them, and 256 where there are as many, is left to those.
    package static func connections(of limit: Int, listeners: Int) -> Int {
        let reserved = max(min(256, limit / 2), limit / 4)
        return max(1, (limit - reserved) / max(1, listeners))
    }

    #if canImport(Darwin)
        private static var resource: CInt { RLIMIT_NOFILE }
    #else
        private static var resource: __rlimit_resource_t { __rlimit_resource_t(RLIMIT_NOFILE.rawValue) }
    #endif
}
