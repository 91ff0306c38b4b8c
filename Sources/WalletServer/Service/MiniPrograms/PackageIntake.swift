import BillfoldCalendar
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import BillfoldTrace
import Crypto
import MiniProgramZip
import MiniPrograms
import PaymentCrypto

/// Takes builds from authors: verifies what came, signs what will be delivered, and stores it whole or not at all.
struct PackageIntake: Sendable {
    let context: WalletContext
    let side: WalletConfiguration.SuperApp

    /// Takes an archive that the author packed and signed.
    ///
    /// The same bytes again are the same build. The platform signs the files anew under its own key and its own version, whose stamp is the
    /// time of the build: containers trust the platform and know no author. Refuses what ``UnverifiedMiniProgramPackage`` refuses, and
    /// `malformed-archive`, `defective-package` with the linter's first defect, `malformed-version` for a version with a stamp, and
    /// `too-many-builds`.
    func take(_ archive: [UInt8], appID: String, by author: MiniProgramAuthor) async throws -> MiniProgramBuild {
        _ = try await open(appID, author)
        let upload = uploadHash(archive)
        if let known = try await context.database.lookup({ try MiniProgramRecords.build(appID, upload: upload, in: $0) }) { return known }
        guard let keys = author.packageRing else { throw WalletError(code: .corruptRecord, reason: "an author's keys do not read back") }
        let now = context.now()
        let delivered: Deliverable
        do {
            delivered = try await WorkPool.packages.run(for: author.id) { _ in
                try deliverable(archive, appID: appID, signedBy: keys, at: now)
            }
        } catch is ServerError { throw OpenAPIRefusal(.trafficExceedsLimit, "too many packages are read at once: upload it again later") }
        return try await store(appID, version: delivered.version, upload: upload, at: now) { app in
            MiniProgramBuild.Detail(
                minimumContainer: delivered.minimumContainer, permissions: .init(app), packageSHA256: delivered.sha256,
                packageSize: Int64(delivered.bytes.count))
        } with: { build, tx in
            try MiniProgramRecords.insert(package: delivered.bytes, sha256: delivered.sha256, of: build, in: tx)
        }
    }

    /// What the platform delivers of a package.
    private struct Deliverable: Sendable {
        var version: MiniProgramVersion
        var minimumContainer: String
        var bytes: [UInt8]
        var sha256: String
    }

    /// Unpacks, verifies, signs and packs: work for a thread that may be busy with it.
    private func deliverable(
        _ archive: [UInt8], appID: String, signedBy keys: KeyRing<PublicKey>, at now: Timestamp
    ) throws -> Deliverable {
        let package = try UnverifiedMiniProgramPackage(
            contents: ZipPackages().contents(of: archive, limits: side.packageLimits)
        ).verified(
            by: keys, appID: appID, limits: side.packageLimits)
        // What the configuration promises has to be there; how scripts are written is the author's matter.
        let findings = MiniProgramLint(files: package.files).findings()
        if let defect = findings.first(where: { $0.severity == .defect && $0.subject.hasSuffix(".json") }) {
            throw MiniProgramError(code: .init("defective-package"), reason: "\(defect.code) in \(defect.subject): \(defect.cause)")
        }
        let version = try stamped(package.manifest.version, now)
        let delivered = try MiniProgramPackage(
            appID: appID, version: version, minimumContainer: package.manifest.minimumContainer, files: package.files,
            signedBy: side.packageKey, keyID: side.packageKeyID, algorithm: side.packageAlgorithm, limits: side.packageLimits)
        let bytes = try ZipPackages().archive(delivered.entries)
        return Deliverable(
            version: version, minimumContainer: package.manifest.minimumContainer.description, bytes: bytes,
            sha256: Hexadecimal.encode(Array(SHA256.hash(data: bytes))))
    }

    /// Takes a version of an HTML5 mini program: the address of its first page, which must lie in its list of pages' hosts.
    func take(webPage: String, version: String, appID: String, by author: MiniProgramAuthor) async throws -> MiniProgramBuild {
        let app = try await open(appID, author)
        guard let host = SuperAppWish.host(of: webPage, in: context.configuration.mode), app.profile.webPageDomains.contains(host) else {
            throw MiniProgramError(code: .malformedField, reason: "webPage is no https address on a host of webPageDomains")
        }
        guard let wanted = MiniProgramVersion(text: version) else {
            throw MiniProgramError(code: .malformedVersion, reason: "version is none")
        }
        let now = context.now()
        let upload = uploadHash(Array("\(wanted)\u{0}\(webPage)".utf8))
        if let known = try await context.database.lookup({ try MiniProgramRecords.build(appID, upload: upload, in: $0) }) { return known }
        return try await store(appID, version: try stamped(wanted, now), upload: upload, at: now) { app in
            MiniProgramBuild.Detail(minimumContainer: "1.0.0", permissions: .init(app), webPage: webPage)
        } with: { _, _ in
        }
    }

    private func open(_ appID: String, _ author: MiniProgramAuthor) async throws -> HostedMiniProgram {
        guard let app = try await context.database.lookup({ try MiniProgramRecords.find(appID, in: $0) }), app.author == author.id else {
            throw WalletError(code: .notFound, reason: "the author has no such mini program")
        }
        guard app.isOpen else { throw WalletError(code: .takenDown, reason: "the mini program was taken down") }
        return app
    }

    private func uploadHash(_ bytes: [UInt8]) -> KeyedHash {
        KeyedHash(of: bytes, purpose: "mini-program-upload", key: context.configuration.keys.hashing)
    }

    /// The platform's own version: `1.0.1` becomes `1.0.1.20261122093000123`, the time to a thousandth of a second in UTC.
    private func stamped(_ version: MiniProgramVersion, _ now: Timestamp) throws(MiniProgramError) -> MiniProgramVersion {
        guard version.stamp == nil else {
            throw MiniProgramError(code: .malformedVersion, reason: "the stamp of a version is the platform's: say three numbers")
        }
        var version = version
        version.stamp = BuildStamp.number(at: now)
        return version
    }

    private func store(
        _ appID: String, version: MiniProgramVersion, upload: KeyedHash, at now: Timestamp,
        detail: @Sendable @escaping (HostedMiniProgram) -> MiniProgramBuild.Detail,
        with extra: @Sendable @escaping (MiniProgramBuild, any Transaction) throws -> Void
    ) async throws -> MiniProgramBuild {
        let most = side.openBuilds
        let build = try await context.database.writeRepeatably { tx in
            guard let app = try MiniProgramRecords.take(appID, in: tx), app.isOpen else {
                throw WalletError(code: .takenDown, reason: "the mini program was taken down")
            }
            if let known = try MiniProgramRecords.build(appID, upload: upload, in: tx) { return known }
            guard try MiniProgramRecords.builds(appID, states: [.created, .underReview], in: tx).count < most else {
                throw MiniProgramError(code: .init("too-many-builds"), reason: "\(most) builds wait for their review; cancel some")
            }
            let build = MiniProgramBuild(appID: appID, version: version, state: .created, detail: detail(app), createdAt: now)
            guard try MiniProgramRecords.insert(build, upload: upload, in: tx) else {
                throw MiniProgramError(code: .wrongState, reason: "another build has that version and stamp; upload it again")
            }
            try extra(build, tx)
            return build
        }
        context.trace.note(
            "mini program built", fields: [.init("releaseVersion", build.version.description)],
            about: ["mini-program.build": "\(appID)@\(build.version)"])
        return build
    }
}

/// A moment as digits: year, month, day, hour, minute, second and thousandth.
enum BuildStamp {
    static func number(at instant: Timestamp) -> Int64 {
        let milliseconds = max(0, instant.microseconds / 1_000)
        let (day, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
        let date = CivilCalendar.date(Int(day))
        let seconds = rest / 1_000
        let clock = (seconds / 3_600) * 10_000 + (seconds / 60 % 60) * 100 + seconds % 60
        return (Int64(date.year * 10_000 + date.month * 100 + date.day) * 1_000_000 + clock) * 1_000 + rest % 1_000
    }
}
