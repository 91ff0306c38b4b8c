public import BillfoldDiagnosis
public import Foundation

/// Decrypts triple DES for the doctor, which holds no key store: two-part key of 16 bytes, CBC, an initial vector of zeros.
public protocol ZoneKeyCipher: Sendable {
    /// Nil for a wrong length of either.
    func decrypt(_ blocks: [UInt8], key: [UInt8]) -> [UInt8]?
}

/// Explains the artifacts of in-app provisioning: callbacks, requests, payloads, configurations, the app's signature, pass metadata,
/// logs and timings (provisioning.md#failures).
///
/// Causes are found by trying the known wrong variants and naming the one that fits; ``DiagnosedFailure/provisioning`` lists them. Hand
/// over everything of one attempt at once: many causes show only between two artifacts. A simulator's chain needs its root among them.
/// <doc:ProvisioningFiles> says which members each JSON file has.
public struct ProvisioningDiagnostician: Diagnostician {
    /// Today, for dates; nil leaves out whatever depends on it.
    public let instant: Date?
    public let cipher: (any ZoneKeyCipher)?

    public init(at instant: Date?, cipher: (any ZoneKeyCipher)? = nil) {
        self.instant = instant
        self.cipher = cipher
    }

    /// Names what it judges.
    public var subjects: String { "provisioning data" }

    public func examine(_ artifacts: [Artifact]) -> Diagnosis {
        var file = ProvisioningCase(instant: instant)
        for artifact in artifacts { file.read(artifact) }
        var diagnosis = Diagnosis(identified: file.identified)
        ProvisioningChainDiagnosis(file: file).examine(into: &diagnosis)
        let opened = EnvelopeDiagnosis(file: file).examine(into: &diagnosis)
        let known = Set(file.payloads.map(\.value.bytes))
        file.payloads += opened.filter { !known.contains($0.value.bytes) }
        ChallengeDiagnosis(file: file).examine(into: &diagnosis)
        PassDataDiagnosis(file: file).examine(into: &diagnosis)
        InnerLayerDiagnosis(file: file, cipher: cipher).examine(into: &diagnosis)
        ActivationDiagnosis(file: file, cipher: cipher).examine(into: &diagnosis)
        AppSetupDiagnosis(file: file).examine(into: &diagnosis)
        ProvisioningRunDiagnosis(file: file).examine(into: &diagnosis)
        // One cause can show from two sides, as when a callback and a payload carry the same wrong nonce.
        var seen: Set<Finding> = []
        diagnosis.findings = diagnosis.findings.filter { seen.insert($0).inserted }
        return diagnosis
    }
}

extension Diagnosis {
    /// Says of a file what was not judged because nobody published it: no finding, for it may be sound.
    ///
    /// - Parameters:
    ///   - kind: Behind this protocol's prefix.
    ///   - artifact: The file's name.
    ///   - summary: In one line.
    ///   - unjudged: What it waits for, where it can be handed over.
    mutating func note(_ kind: String, in artifact: String, _ summary: String, unjudged: Unjudged? = nil) {
        let noted = Identification(artifact: artifact, kind: "provisioning.\(kind)", summary: summary, unjudged: unjudged)
        if !identified.contains(noted) { identified.append(noted) }
    }

    /// Adds a finding under this protocol's prefix.
    mutating func report(
        _ code: String, severity: Finding.Severity = .defect, in subject: String, cause: String,
        evidence: KeyValuePairs<String, String>, mend: String
    ) {
        findings.append(
            Finding(
                code: "provisioning.\(code)", severity: severity, subject: subject, cause: cause,
                evidence: evidence.map { .init($0.key, $0.value) }, mend: mend))
    }
}
