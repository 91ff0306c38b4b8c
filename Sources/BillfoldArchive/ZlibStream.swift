import CArchive

/// A zlib stream (RFC 1950), as some protocols wrap around files.
public enum ZlibStream {
    /// Packs bytes as tightly as zlib can.
    public static func compressed(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
        var length = compressBound(uLong(bytes.count))
        var output = [UInt8](repeating: 0, count: Int(length))
        guard compress2(&output, &length, bytes, uLong(bytes.count), Z_BEST_COMPRESSION) == Z_OK else {
            throw ArchiveError(code: .failed, reason: "the stream could not be written")
        }
        return Array(output[..<Int(length)])
    }

    /// Unpacks one whole stream. Trailing bytes and a wrong check sum are `malformed`.
    public static func decompressed(_ bytes: [UInt8], limits: ArchiveLimits = ArchiveLimits()) throws(ArchiveError) -> [UInt8] {
        var stream = z_stream()
        guard inflateInit_(&stream, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ArchiveError(code: .failed, reason: "no memory for a stream")
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        // The stream keeps pointers into both buffers, which stay pinned inside this closure.
        let outcome: Result<Void, ArchiveError> = input.withUnsafeMutableBufferPointer { source in
            chunk.withUnsafeMutableBufferPointer { target in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                while true {
                    stream.next_out = target.baseAddress
                    stream.avail_out = UInt32(target.count)
                    let status = inflate(&stream, Z_NO_FLUSH)
                    output += target[..<(target.count - Int(stream.avail_out))]
                    do throws(ArchiveError) {
                        try limits.check(total: output.count, packed: bytes.count)
                        guard output.count <= limits.entryBytes else {
                            throw ArchiveError(code: .tooLarge, reason: "more than \(limits.entryBytes) bytes come out")
                        }
                    } catch { return .failure(error) }
                    if status == Z_STREAM_END { break }
                    guard status == Z_OK, stream.avail_in > 0 || stream.avail_out == 0 else {
                        return .failure(ArchiveError(code: .malformed, reason: "the zlib stream is damaged or cut short"))
                    }
                }
                guard stream.avail_in == 0 else {
                    return .failure(ArchiveError(code: .malformed, reason: "bytes follow the end of the zlib stream"))
                }
                return .success(())
            }
        }
        try outcome.get()
        return output
    }
}
