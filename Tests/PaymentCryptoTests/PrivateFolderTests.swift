import Foundation
import PaymentCrypto
import Synchronization
import Testing

#if canImport(Glibc)
    import Glibc
#endif

struct PrivateFolderTests {
    private static let count = 400

    private final class Temporary {
        let path = FileManager.default.temporaryDirectory.path + "/private-folder-\(UUID().uuidString)"

        init() throws { try PrivateFolder.make(path) }

        deinit { try? FileManager.default.removeItem(atPath: path) }
    }

    private func mode(_ path: String) -> mode_t {
        var found = stat()
        return lstat(path, &found) == 0 ? found.st_mode & 0o7777 : 0
    }

    private func code(_ path: String) -> PaymentCryptoError.Code? {
        do throws(PaymentCryptoError) {
            try PrivateFolder.make(path)
            return nil
        } catch { return error.code }
    }

    @Test func missingFoldersAreMadeForTheirOwnerAlone() throws {
        let folder = try Temporary()
        try PrivateFolder.make(folder.path + "/a/b/../c//")
        for name in ["", "/a", "/a/b", "/a/c"] { #expect(mode(folder.path + name) == 0o700) }
        // What was there stays.
        #expect(chmod(folder.path + "/a", 0o750) == 0)
        try PrivateFolder.make(folder.path + "/a/d")
        #expect(mode(folder.path + "/a") == 0o750)
        #expect(try PrivateFile.create(folder.path + "/file", with: []))
        #expect(code(folder.path + "/file") == .keyStoreUnavailable)
        #expect(code(folder.path + "/file/below") == .keyStoreUnavailable)
    }

    private final class Watch: Sendable {
        let path = Mutex("")
        let seen = Mutex<Set<mode_t>>([])
        let isOver = Mutex(false)
        let end = DispatchSemaphore(value: 0)
    }

    /// A thread looks as often as it can; the folder is there with its mode or not at all.
    @Test func nobodySeesAFolderWithAnotherMode() throws {
        let folder = try Temporary()
        let watch = Watch()
        Thread.detachNewThread {
            while !watch.isOver.withLock({ $0 }) {
                let found = mode(watch.path.withLock { $0 })
                if found != 0 { watch.seen.withLock { _ = $0.insert(found) } }
            }
            watch.end.signal()
        }
        defer {
            watch.isOver.withLock { $0 = true }
            watch.end.wait()
            #expect(watch.seen.withLock { $0 }.isSubset(of: [0o700]))
        }
        for number in 0..<Self.count {
            let path = folder.path + "/\(number)"
            watch.path.withLock { $0 = path }
            try PrivateFolder.make(path)
        }
    }

    #if os(Linux)
        /// The system tells of every change of a mode: there is none after a folder was made, or a file.
        @Test func noModeIsSetInASecondStep() throws {
            let folder = try Temporary()
            let watch = inotify_init1(Int32(IN_NONBLOCK))
            #expect(watch >= 0)
            defer { close(watch) }
            #expect(inotify_add_watch(watch, folder.path, UInt32(IN_CREATE) | UInt32(IN_ATTRIB)) >= 0)
            try PrivateFolder.make(folder.path + "/made/below")
            #expect(try PrivateFile.create(folder.path + "/new", with: [1]))
            try PrivateFile.replace(folder.path + "/new", with: [2])
            #expect(mode(folder.path + "/new") == 0o600)
            var events = [UInt8](repeating: 0, count: 65_536)
            let count = read(watch, &events, events.count)
            // A watch's number, what happened, a cookie, and the length of the name that follows.
            var (place, made): (Int, [String]) = (0, [])
            while place + 16 <= count {
                let number = { (offset: Int) in (0..<4).reduce(0) { $0 | Int(events[place + offset + $1]) << (8 * $1) } }
                let name = String(decoding: events[(place + 16)..<(place + 16 + number(12))].prefix { $0 != 0 }, as: UTF8.self)
                if number(4) & Int(IN_CREATE) != 0 { made.append(name) }
                // A link and its removal change how many names an unfinished file has, and no mode.
                if number(4) & Int(IN_ATTRIB) != 0 { #expect(name.hasPrefix("."), "\(name) was changed after it was made") }
                place += 16 + number(12)
            }
            #expect(made.contains("made") && made.contains("new"))
        }
    #endif

    @Test func ownLinkIsFollowedWhereNobodyElseCanPlaceOne() throws {
        let folder = try Temporary()
        try PrivateFolder.make(folder.path + "/real")
        #expect(symlink("real", folder.path + "/link") == 0)
        #expect(symlink(folder.path + "/link", folder.path + "/second") == 0)
        try PrivateFolder.make(folder.path + "/second/below")
        #expect(mode(folder.path + "/real/below") == 0o700)
        #expect(symlink("round", folder.path + "/round") == 0)
        #expect(code(folder.path + "/round/below") == .keyStoreUnavailable)
    }

    @Test func linkWhereEverybodyCanPlaceOneIsRefused() throws {
        let folder = try Temporary()
        try PrivateFolder.make(folder.path + "/real")
        try PrivateFolder.make(folder.path + "/open")
        #expect(symlink("../real", folder.path + "/open/link") == 0)
        #expect(chmod(folder.path + "/open", 0o777) == 0)
        #expect(code(folder.path + "/open/link/below") == .keyStoreExposed)
        // The system lets nobody replace another's link there.
        #expect(chmod(folder.path + "/open", 0o1777) == 0)
        #expect(code(folder.path + "/open/link/below") == nil)
    }

    @Test func linkOrFolderOfAnotherUserIsRefused() throws {
        guard geteuid() == 0 else { return print("SKIPPED: not root; links and folders of other users are not tested") }
        let stranger: uid_t = 65_534
        let folder = try Temporary()
        try PrivateFolder.make(folder.path + "/real")
        #expect(symlink("real", folder.path + "/link") == 0)
        #expect(lchown(folder.path + "/link", stranger, stranger) == 0)
        #expect(code(folder.path + "/link/below") == .keyStoreExposed)
        #expect(KeyStore(folder: URL(fileURLWithPath: folder.path + "/link/keys")).refusal == .keyStoreExposed)
        #expect(mode(folder.path + "/real/keys") == 0)

        try PrivateFolder.make(folder.path + "/open/theirs")
        #expect(chmod(folder.path + "/open", 0o1777) == 0)
        #expect(chown(folder.path + "/open/theirs", stranger, stranger) == 0)
        #expect(code(folder.path + "/open/theirs") == .keyStoreExposed)
        #expect(code(folder.path + "/open/ours") == nil)
        // Where others can put nothing, whoever runs as root may act for the folder's owner.
        #expect(chmod(folder.path + "/open", 0o755) == 0)
        #expect(code(folder.path + "/open/theirs/keys") == nil)
    }
}

extension KeyStore {
    /// Why nothing can be changed in it; nil where it can.
    fileprivate var refusal: PaymentCryptoError.Code? {
        do throws(PaymentCryptoError) {
            _ = try activate("none")
            return nil
        } catch { return error.code }
    }
}
