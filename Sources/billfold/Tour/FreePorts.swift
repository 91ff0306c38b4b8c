import Foundation

/// Ports that nobody listens on, and that are kept for whoever is told of them.
///
/// On Linux this process holds each by a socket that does not listen, for as long as it lives: the system then gives the port to nobody who asks
/// for any, while a server that names it, and lets addresses be used again as servers do, listens there. On other systems a program
/// may take one before it is used; whoever then starts says `port-taken`, and the tour starts over.
enum FreePorts {
    static func find(_ count: Int) throws -> [Int] {
        #if !os(Linux)
            var sockets: [Int32] = []
            defer { for socket in sockets { close(socket) } }
        #endif
        var ports: [Int] = []
        for _ in 0..<count {
            #if os(Linux)
                let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
                var isOn: Int32 = 1
                setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<Int32>.size))
            #else
                let descriptor = socket(AF_INET, SOCK_STREAM, 0)
                sockets.append(descriptor)
            #endif
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_addr = in_addr(s_addr: UInt32(0x7f00_0001).bigEndian)
            var length = socklen_t(MemoryLayout<sockaddr_in>.size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                    bind(descriptor, address, length) == 0 && getsockname(descriptor, address, &length) == 0
                }
            }
            guard descriptor >= 0, isBound else {
                throw CommandFailure(.refused, code: "port-taken", reason: "no free port was found on 127.0.0.1")
            }
            ports.append(Int(UInt16(bigEndian: address.sin_port)))
        }
        return ports
    }
}
