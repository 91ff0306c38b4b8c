import AlipayPlus
import AlipayPlusServer
import AlipayPlusValues
import ArgumentParser
import BillfoldDiagnosis
import BillfoldJSON
import BillfoldPayments
import BillfoldServer
import BillfoldStorage
import Foundation
import PaymentCrypto

/// `alipay-plus reports`: makes a day's reports from the gateway's ledger, or compares reports with it.
struct AlipayPlusReports: ReplyingCommand {
    static let configuration = CommandConfiguration(
        commandName: "reports", abstract: "Make a day's reports from the gateway's books, or find where reports differ from them.",
        discussion: """
            A day is one of UTC+8, yyyyMMdd; its reports are there from 08:00 of the next day on. --to writes them into a folder, under \
            the paths at which acquirers fetch them. --check reads the same folders and names every difference to the smallest unit: \
            within the files, between them, and from the ledger; and every file that is missing or does not belong there. Differences \
            exit with 1. On a SQLite store it does not run beside the servers.
            """)

    @Option(help: "The day, yyyyMMdd.") var day: String
    @Option(help: "The acquirer's acquirerId; default: every acquirer.") var acquirer: String?
    @Option(help: "The folder to write into.") var to: String?
    @Option(help: "The folder of reports to compare.") var check: String?
    @OptionGroup var store: RoleStore

    var json: Bool { store.json }

    func validate() throws {
        guard (to == nil) != (check == nil) else { throw ValidationError("Say either --to or --check.") }
    }

    func reply() async throws -> CommandReply {
        let cycle: ClearingCycle
        do throws(AlipayPlusError) { cycle = try ClearingCycle(day: day) } catch { throw CommandFailure.usage("--day is a day yyyyMMdd") }
        let folder = try store.folder(holding: [], refusing: "data-folder-unusable")
        return try await store.with(
            variable: AlipayPlusCapability.databaseVariable, file: AlipayPlusCapability.fileName, kind: .alipayPlus
        ) { database in
            let isSandbox = try await StoreMode.of(database) != .production
            let clock: any WallClock =
                try await isSandbox ? MovableClock(base: SystemClock(), offset: FolderClockOffset(folder)) : SystemClock()
            let service = ReportService(database: database)
            var reply = Reply()
            for id in try await acquirers(service) {
                let files = try await service.files(of: id, in: cycle, at: clock.now(), isSandbox: isSandbox)
                if let to { try reply.write(files, to) }
                if let check {
                    let found = Self.read(files, ReportService.folders(of: id, in: cycle, isSandbox: isSandbox), under: check)
                    reply.note(try await service.differences(in: found, made: files, of: id, in: cycle), id)
                }
            }
            return reply.done(isCheck: check != nil)
        }
    }

    private func acquirers(_ service: ReportService) async throws -> [MerchantID] {
        let all = try await service.acquirers()
        guard let acquirer else { return all }
        guard let id = all.first(where: { $0.description == acquirer }) else {
            throw CommandFailure(.refused, code: "acquirer-unknown", reason: "the gateway knows no acquirer of that id")
        }
        return [id]
    }

    /// The made files as they lie there, without those that are missing; and by their paths, unread, what else lies in the folders.
    private static func read(_ made: [ReportService.File], _ folders: [String], under root: String) -> [(name: String, bytes: [UInt8])] {
        let files = made.compactMap { file in
            FileManager.default.contents(atPath: root + file.path).map { (name: file.name.description, bytes: [UInt8]($0)) }
        }
        let known = Set(made.map(\.path))
        let all = folders.flatMap { folder in
            ((try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []).map { "\(folder)/\($0)" }
        }
        return files + all.filter { !known.contains($0) }.sorted().map { ($0, []) }
    }

    private struct Reply {
        private var lines: [String] = []
        private var files: [JSONValue] = []
        private var differences: [JSONValue] = []

        mutating func write(_ made: [ReportService.File], _ folder: String) throws {
            for file in made {
                let path = folder + file.path
                let parent = (path as NSString).deletingLastPathComponent
                do throws(PaymentCryptoError) { try PrivateFolder.make(parent) } catch {
                    throw CommandFailure(.refused, code: "unwritable-file", reason: "\(parent) cannot be made: \(error.reason)")
                }
                try CommandFile.replacePrivate(path, String(decoding: file.bytes, as: UTF8.self))
                lines.append(path)
                files.append(.string(path))
            }
        }

        mutating func note(_ found: [ReportDifference], _ id: MerchantID) {
            lines += found.map(\.description)
            differences += found.map { difference in
                var object = JSONObject([.init("acquirerId", .string(id.description)), .init("kind", .string(difference.kind.rawValue))])
                object["file"] = .string(difference.file)
                object["subject"] = difference.subject.map(JSONValue.string)
                object["field"] = difference.field.map(JSONValue.string)
                object["expected"] = difference.expected.map(JSONValue.string)
                object["found"] = difference.found.map(JSONValue.string)
                return .object(object)
            }
        }

        func done(isCheck: Bool) -> CommandReply {
            let outcome = !isCheck ? "made" : differences.isEmpty ? "agreed" : "differs"
            var object = JSONObject([.init("outcome", .string(outcome))])
            object[isCheck ? "differences" : "files"] = .array(isCheck ? differences : files)
            let text = lines.isEmpty ? outcome : lines.map(DiagnosisText.printable).joined(separator: "\n")
            return CommandReply(text: text, object: object, exitCode: differences.isEmpty ? 0 : 1)
        }
    }
}
