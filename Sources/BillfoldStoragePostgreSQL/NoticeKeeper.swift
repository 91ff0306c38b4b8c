import CLibpq

/// Keeps the warnings that a server sends beside its results.
final class NoticeKeeper {
    private(set) var warnings: [String] = []

    /// - Important: The keeper must outlive the connection.
    func attach(to handle: OpaquePointer) {
        _ = PQsetNoticeReceiver(
            handle,
            { context, result in
                guard let context, let result else { return }
                // `V` is the severity that is never translated, `M` the message.
                guard let severity = PQresultErrorField(result, CInt(UInt8(ascii: "V"))), String(cString: severity) == "WARNING" else {
                    return
                }
                let message = PQresultErrorField(result, CInt(UInt8(ascii: "M"))).map { String(cString: $0) } ?? "a warning"
                Unmanaged<NoticeKeeper>.fromOpaque(context).takeUnretainedValue().warnings.append(message)
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    func clear() { warnings.removeAll() }
}
