import BillfoldJSON
public import PaymentCrypto

/// A package as it came: nothing in it may be run. ``verified(by:appID:atLeast:limits:)`` is its one way on.
public struct UnverifiedMiniProgramPackage: Sendable {
    /// Every file by its path, the package's own two included.
    public var contents: [String: [UInt8]]

    /// - Parameter contents: Unpacked within ``PackageLimits``; the archive's list was held against them first.
    public init(contents: [String: [UInt8]]) { self.contents = contents }

    /// Packs without a signature, for whoever signs elsewhere. The files are those that the manifest was made of.
    public init(manifest: PackageManifest, files: [String: [UInt8]]) {
        contents = files
        contents[PackageManifest.path] = manifest.bytes
    }

    /// The mini program's files by their paths, without the package's own two.
    public var files: [String: [UInt8]] { contents.filter { ![PackageManifest.path, PackageSignature.path].contains($0.key) } }

    /// What goes into the archive, in the order in which it should lie there: the package's own files first.
    public var entries: [(path: String, bytes: [UInt8])] {
        let own = [PackageManifest.path, PackageSignature.path].compactMap { path in contents[path].map { (path, $0) } }
        return own + files.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }.map { ($0.key, $0.value) }
    }

    /// What the package says of itself, which nobody vouches for yet. `malformed-manifest`.
    public var manifest: PackageManifest {
        get throws(MiniProgramError) {
            guard let bytes = contents[PackageManifest.path] else {
                throw MiniProgramError(code: .malformedManifest, reason: "there is no \(PackageManifest.path)")
            }
            return try PackageManifest(bytes)
        }
    }

    /// The signature that it brings, which nobody has checked yet. `unsigned`, `malformed-signature`.
    public var signature: PackageSignature {
        get throws(MiniProgramError) {
            guard let bytes = contents[PackageSignature.path] else {
                throw MiniProgramError(code: .unsigned, reason: "there is no \(PackageSignature.path)")
            }
            return try PackageSignature(bytes)
        }
    }

    /// Signs what was packed elsewhere, in the place of an earlier signature: whoever signs vouches for the files as they are.
    ///
    /// `unsafe-path`, `too-large`, `duplicate-entry`, `malformed-manifest`, `missing-file`, `unlisted-file`, `hash-mismatch`,
    /// `unusable-key`.
    public func signed(
        by signer: any MessageSigner, keyID: KeyID, algorithm: SignatureAlgorithm, limits: PackageLimits = PackageLimits()
    ) throws(MiniProgramError) -> MiniProgramPackage {
        try limits.check(contents.map { PackageEntry(path: $0.key, size: $0.value.count) })
        let manifest = try manifest
        let signature = try PackageSignature(over: manifest, by: signer, keyID: keyID, algorithm: algorithm)
        return try MiniProgramPackage(manifest: manifest, signature: signature, contents: contents)
    }

    /// Checks everything, cheapest first, and hands out a package that may be installed.
    ///
    /// `unsafe-path`, `too-large`, `duplicate-entry`, `malformed-manifest`, `unsigned`, `malformed-signature`, `untrusted-key`,
    /// `signature-mismatch`, `wrong-package`, `missing-file`, `unlisted-file`, `hash-mismatch`.
    /// - Parameters:
    ///   - keys: The keys that are trusted for this mini program, by their ids.
    ///   - appID: The mini program that was asked for: a signed package of another is refused.
    ///   - version: The oldest that is taken: an old package, though signed, does not come back by itself.
    ///   - limits: How much is taken.
    public func verified(
        by keys: KeyRing<PublicKey>, appID: String, atLeast version: MiniProgramVersion? = nil, limits: PackageLimits = PackageLimits()
    ) throws(MiniProgramError) -> MiniProgramPackage {
        try limits.check(contents.map { PackageEntry(path: $0.key, size: $0.value.count) })
        guard let bytes = contents[PackageManifest.path] else {
            throw MiniProgramError(code: .malformedManifest, reason: "there is no \(PackageManifest.path)")
        }
        let signature = try signature
        let key = try keys.trusted(signature.keyID)
        guard signature.isValid(over: bytes, for: key) else {
            throw MiniProgramError(code: .signatureMismatch, reason: "the signature is not the key's over this manifest")
        }
        let manifest = try PackageManifest(bytes)
        guard ExactText.equal(manifest.appID, appID) else {
            throw MiniProgramError(
                code: .wrongPackage, reason: "the package is of \(manifest.appID), and \(MiniProgramError.quoted(appID)) was asked for")
        }
        if let version, manifest.version < version {
            throw MiniProgramError(code: .wrongPackage, reason: "the package is \(manifest.version), older than \(version)")
        }
        return try MiniProgramPackage(manifest: manifest, signature: signature, contents: contents)
    }
}

/// A package whose signature and files were checked, or that was packed here.
public struct MiniProgramPackage: Sendable {
    public let manifest: PackageManifest
    public let signature: PackageSignature
    /// The mini program's files by their paths, without the package's own two.
    public let files: [String: [UInt8]]

    /// Packs and signs. The files should have been linted before.
    public init(
        appID: String, version: MiniProgramVersion, minimumContainer: MiniProgramVersion = .init(1, 0, 0), files: [String: [UInt8]],
        signedBy signer: any MessageSigner, keyID: KeyID, algorithm: SignatureAlgorithm, limits: PackageLimits = PackageLimits()
    ) throws(MiniProgramError) {
        manifest = try PackageManifest(
            appID: appID, version: version, minimumContainer: minimumContainer, files: files, limits: limits)
        signature = try PackageSignature(over: manifest, by: signer, keyID: keyID, algorithm: algorithm)
        self.files = files
    }

    init(manifest: PackageManifest, signature: PackageSignature, contents: [String: [UInt8]]) throws(MiniProgramError) {
        let files = UnverifiedMiniProgramPackage(contents: contents).files
        try manifest.check(files)
        self.manifest = manifest
        self.signature = signature
        self.files = files
    }

    /// What goes into the archive, in the order in which it should lie there: manifest and signature first.
    public var entries: [(path: String, bytes: [UInt8])] {
        [(PackageManifest.path, manifest.bytes), (PackageSignature.path, signature.bytes)]
            + manifest.files.map { ($0.path, files[$0.path] ?? []) }
    }
}
