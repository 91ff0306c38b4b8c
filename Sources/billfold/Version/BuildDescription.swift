import CBuildStamp

/// What this program was built from and how.
struct BuildDescription {
    let version = Billfold.version
    /// `unknown` where it was built without the repository's scripts.
    var commit: String {
        let told = String(cString: billfold_commit())
        return told.isEmpty ? "unknown" : told
    }

    /// `debug`, or `release` for the optimised one.
    var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    var system: String {
        #if os(Linux)
            let name = "Linux"
        #elseif os(macOS)
            let name = "macOS"
        #else
            let name = "another system"
        #endif
        #if arch(x86_64)
            return name + " x86_64"
        #elseif arch(arm64)
            return name + " arm64"
        #else
            return name
        #endif
    }

    /// The version first, for scripts that read a word.
    var text: String { "\(version) (commit \(commit), \(build) build, \(system))" }
}
