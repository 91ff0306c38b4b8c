import AppContainer
import CNativeAttacks
import Foundation
import Synchronization

/// A worker whose engine was taken over: when the script first asks for the time, native code on the program's own thread tries everything that
/// it could use, and tells its host what came of it as a script's log.
///
/// What the folder of its name holds says what it is to be: `secret`, a file that is open when it starts; `no-filter` or `old-kernel`, a kernel that
/// refuses the filter of system calls, or all it can.
enum HostileWorker {
    private static let folder = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
    private static let wasAsked = Mutex(false)

    static func run() -> Int32 {
        native_attacks_prepare(folder.path)
        let isOld = holds("old-kernel")
        if isOld || holds("no-filter"), native_attacks_weaken_kernel(isOld ? 1 : 0) != 0 { return 1 }
        return MiniProgramWorker.run {
            let isFirst = wasAsked.withLock { asked in
                defer { asked = true }
                return !asked
            }
            if isFirst { attack(isOld) }
            return 0
        }
    }

    private static func holds(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(path: name).path) }

    /// - Parameter isHarmless: Leaves out what would come to pass where nothing refuses it.
    private static func attack(_ isHarmless: Bool) {
        for number in 0..<native_attacks_count() {
            let name = String(cString: native_attacks_name(number))
            if !isHarmless || name == "read an inherited descriptor" { tell("\(native_attacks_try(number)) \(name)") }
        }
        tell("done")
    }

    /// One frame, as the worker's own code writes them.
    private static func tell(_ text: String) {
        let frame = Array(#"{"kind":"output","body":{"kind":"console","body":{"level":"log","text":"\#(text)"}}}"#.utf8)
        let bytes = [0, 0, UInt8(frame.count / 256), UInt8(frame.count % 256)] + frame
        _ = bytes.withUnsafeBytes { write(0, $0.baseAddress, $0.count) }
    }
}
