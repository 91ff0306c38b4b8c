/// A named piece of evidence handed to the doctor: usually a file.
public struct Artifact: Sendable, Hashable {
    public var name: String
    public var bytes: [UInt8]

    public init(name: String, bytes: [UInt8]) {
        self.name = name
        self.bytes = bytes
    }
}

/// What a set of artifacts turned out to be, and everything found wrong with it.
public struct Diagnosis: Sendable, Hashable, Codable {
    /// A part of an artifact that nobody could look at, which must not read as good.
    public struct Unjudged: Sendable, Hashable, Codable {
        /// What it is, such as `its signature`.
        public var part: String
        /// What has to be handed over, so that it is looked at.
        public var need: String

        public init(_ part: String, need: String) {
            self.part = part
            self.need = need
        }
    }

    /// What one artifact is, said before what is wrong with it.
    public struct Identification: Sendable, Hashable, Codable {
        public var artifact: String
        /// A stable kind such as `apple-pay.token`, `certificate`, `private-key` or `unionpay.message`.
        public var kind: String
        /// One line for people, with masked values.
        public var summary: String
        /// Nil where all of it was looked at, as far as anybody can.
        public var unjudged: Unjudged?

        public init(artifact: String, kind: String, summary: String, unjudged: Unjudged? = nil) {
            self.artifact = artifact
            self.kind = kind
            self.summary = summary
            self.unjudged = unjudged
        }
    }

    public var identified: [Identification]
    public var findings: [Finding]

    public init(identified: [Identification] = [], findings: [Finding] = []) {
        self.identified = identified
        self.findings = findings
    }

    /// Lets every diagnostician examine the artifacts. A file that none of them knows is reported as such: nothing was judged in
    /// it, which must not read as "nothing is wrong".
    ///
    /// - Parameters:
    ///   - artifacts: All that was handed over, for each diagnostician sees all of it. Names tell one from another.
    ///   - diagnosticians: Asked in this order, which is also that of what they find.
    ///   - budget: Where it is over, the diagnosis ends early and is not whole.
    public init(of artifacts: [Artifact], by diagnosticians: [any Diagnostician], within budget: DiagnosisBudget = .unlimited) {
        self.init()
        var artifacts = artifacts
        examine(artifacts, by: diagnosticians, within: budget)
        let carried = Self.carried(artifacts.filter { !isKnown($0) }, by: diagnosticians, within: budget)
        if !carried.isEmpty, !budget.isOver {
            for index in artifacts.indices {
                if let form = carried[artifacts[index].name] { artifacts[index].bytes = form.bytes }
            }
            // Everything once more: causes show between files.
            (identified, findings) = ([], [])
            examine(artifacts, by: diagnosticians, within: budget)
            identified += artifacts.compactMap { artifact in
                carried[artifact.name].map { .init(artifact: artifact.name, kind: "carried", summary: "its content stood \($0.words)") }
            }
        }
        identified = Self.once(identified)
        guard !budget.isOver else { return }
        for artifact in artifacts where !isKnown(artifact) {
            let unknown = UnknownArtifact(artifact: artifact, tried: diagnosticians.map(\.subjects).filter { !$0.isEmpty })
            identified.append(unknown.identification)
            findings.append(unknown.finding)
        }
    }

    /// Says once that an artifact is a key, which every protocol has a use for: of `public-key` and a protocol's own name the plain one.
    private static func once(_ identified: [Identification]) -> [Identification] {
        var said: Set<[String]> = []
        let plain = Set(identified.map { [$0.artifact, $0.kind] })
        return identified.filter { each in
            guard let word = ["public-key", "private-key"].first(where: each.kind.hasSuffix) else { return true }
            guard word == each.kind || !plain.contains([each.artifact, word]) else { return false }
            return said.insert([each.artifact, each.kind]).inserted
        }
    }

    private mutating func examine(_ artifacts: [Artifact], by diagnosticians: [any Diagnostician], within budget: DiagnosisBudget) {
        for diagnostician in diagnosticians {
            guard !budget.isOver else { return }
            merge(DiagnosisBudget.$current.withValue(budget) { diagnostician.examine(artifacts) })
        }
    }

    private func isKnown(_ artifact: Artifact) -> Bool {
        identified.contains { $0.artifact == artifact.name } || findings.contains { $0.subject == artifact.name }
    }

    /// At most so many files are looked at in other forms.
    private static let mostCarried = 8

    /// The forms in which files that nobody knew are known.
    private static func carried(
        _ unknown: [Artifact], by diagnosticians: [any Diagnostician], within budget: DiagnosisBudget
    ) -> [String: CarriedForm] {
        var found: [String: CarriedForm] = [:]
        for artifact in unknown.prefix(mostCarried) {
            for form in CarriedForm.all(of: artifact.bytes) where !budget.isOver {
                let alone = Artifact(name: artifact.name, bytes: form.bytes)
                var tried = Diagnosis()
                tried.examine([alone], by: diagnosticians, within: budget)
                guard tried.isKnown(alone) else { continue }
                found[artifact.name] = form
                break
            }
        }
        return found
    }

    /// Adds what another one identified and found, behind what is here. Nothing is taken out, not even what both found.
    public mutating func merge(_ other: Diagnosis) {
        identified += other.identified
        findings += other.findings
    }
}

/// Reads the artifacts of one protocol together, because causes often show only between two of them
/// (a token and a key, a message and a certificate).
public protocol Diagnostician: Sendable {
    /// Judges what is of its protocol and passes over everything else.
    func examine(_ artifacts: [Artifact]) -> Diagnosis
    /// What it judges, in a few words, for somebody whose file nobody knew; empty where it does not say.
    var subjects: String { get }
}

extension Diagnostician {
    /// Says nothing.
    public var subjects: String { "" }
}
