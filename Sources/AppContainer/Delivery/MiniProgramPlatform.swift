public import BillfoldDiagnosis
public import MiniPrograms

/// What a container asks the platform for (mini-programs.md#updates), over a connection of the super app's. Nothing that it gives is
/// believed before it was verified.
public protocol MiniProgramPlatform: Sendable {
    /// The metadata of the version that the user gets now. Throws ``PlatformRefusal`` where the platform answered that there is none, and
    /// anything else where no answer came.
    func metadata(of appID: String, container: MiniProgramVersion) async throws -> UnverifiedMiniProgramMetadata
    /// An archive's bytes. An answer longer than the package says it is need not be read to its end.
    func archive(of package: MiniProgramMetadata.Package) async throws -> [UInt8]
}

/// The platform answered, and gives no version: none was released for this user, or the mini program was taken down.
public struct PlatformRefusal: CodedError, Hashable {
    public var code: String
    public var reason: String

    public init(code: String, reason: String) {
        self.code = code
        self.reason = reason
    }
}

/// A mini program that can be started.
public struct OpenedMiniProgram: Sendable {
    public var metadata: MiniProgramMetadata
    /// ``MiniProgramCode/webPages`` for an HTML5 mini program.
    public var code: MiniProgramCode
    /// The package's files by their paths; empty for an HTML5 mini program.
    public var files: [String: [UInt8]]
    /// What was done about updates.
    public var decision: UpdateDecision
    /// Why it starts without the platform's word; nil where the platform answered.
    public var offlineReason: String?

    /// One that no shelf keeps: of a folder, or of a test. Nobody has verified it.
    public init(
        metadata: MiniProgramMetadata, code: MiniProgramCode, files: [String: [UInt8]] = [:], decision: UpdateDecision? = nil,
        offlineReason: String? = nil
    ) {
        self.metadata = metadata
        self.code = code
        self.files = files
        self.decision = decision ?? .start(metadata.version)
        self.offlineReason = offlineReason
    }
}
