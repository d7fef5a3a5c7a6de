import CCurl
import Runtime

/// What `NetworkThread` does in a turn: timers, curl, pipes, and then the wait.
///
/// Order matters for latency: what jobs and timers wrote leaves in the same turn. curl is asked to work only when it has
/// something to do, since `curl_multi_perform` looks at every transfer in flight.
@NetworkThread
@safe
final class NetworkLoop {
    static let shared = NetworkLoop()

    let timers = TimerHeap()
    private let multi = NetworkThread.shared.multi
    private var whenDone: [Int: @NetworkThread (CURLcode) -> Void] = [:]
    private var pipes: [ObjectIdentifier: BytePipe] = [:]
    /// The pipes whose sockets are in `descriptors`, in the same order.
    private var polled: [BytePipe] = []
    private var descriptors: [curl_waitfd] = []
    /// The transfer that curl is bringing something for; curl goes from one to the next.
    private var heard: HTTPTransfer?
    private var curlHasWork = true
    /// When curl wants to be called although nothing arrives.
    private var curlDue: Duration?

    private init() {
        // A connection that rests is worth keeping, a thousand of them are not; it never concerns those in use.
        unsafe ccurl_multi_set_long(multi.pointer, CURLMOPT_MAXCONNECTS, 128)
    }

    /// Lets curl drive the handle; `whenDone` is called once, from the loop, with curl's result, and may
    /// still come when another's `whenDone` removed the handle a moment before.
    func add(_ handle: EasyHandle, whenDone: @escaping @NetworkThread (CURLcode) -> Void) -> Bool {
        guard unsafe curl_multi_add_handle(multi.pointer, handle.pointer) == CURLM_OK else { return false }
        self.whenDone[handle.address] = whenDone
        curlHasWork = true
        return true
    }

    /// Something came for this transfer, so all that came for the one before is there.
    func hears(_ transfer: HTTPTransfer) {
        if let heard, heard !== transfer { heard.passOn() }
        heard = transfer
    }

    /// Ends whatever the handle does, at once. Must not be called from inside one of curl's own callbacks.
    func remove(_ handle: EasyHandle) {
        whenDone[handle.address] = nil
        unsafe curl_multi_remove_handle(multi.pointer, handle.pointer)
        curlHasWork = true
    }

    /// From now on the pipe's socket is watched and the pipe is served each turn that it asks for.
    func watch(_ pipe: BytePipe) { pipes[ObjectIdentifier(pipe)] = pipe }

    func forget(_ pipe: BytePipe) { pipes[ObjectIdentifier(pipe)] = nil }

    /// One turn without waiting; true when nothing is left to do until something arrives.
    func turn() -> Bool {
        timers.fire(at: Time.system.now())
        if curlHasWork || curlDue.map({ $0 <= Time.system.now() }) == true { perform() }
        for pipe in pipes.values where pipe.wantsTurn { pipe.serve() }
        return !curlHasWork && !pipes.values.contains { $0.wantsTurn }
    }

    /// Waits until a socket is ready, a timer is due or another thread wakes the loop; or only looks.
    func wait(mayBlock: Bool) {
        collectDescriptors()
        let timeout = mayBlock ? pollTimeout : 0
        var ready: Int32 = 0
        _ = unsafe descriptors.withUnsafeMutableBufferPointer { buffer in
            unsafe curl_multi_poll(multi.pointer, buffer.baseAddress, UInt32(buffer.count), timeout, &ready)
        }
        var readyPipes: Int32 = 0
        for (index, descriptor) in descriptors.enumerated() where descriptor.revents != 0 {
            readyPipes += 1
            polled[index].becameReady()
        }
        // Extra descriptors are counted too; what is left over are curl's own.
        if ready > readyPipes { curlHasWork = true }
    }

    private func collectDescriptors() {
        polled.removeAll(keepingCapacity: true)
        descriptors.removeAll(keepingCapacity: true)
        for pipe in pipes.values {
            guard let descriptor = pipe.interest else { continue }
            polled.append(pipe)
            descriptors.append(descriptor)
        }
    }

    private func perform() {
        curlHasWork = false
        var running: Int32 = 0
        unsafe curl_multi_perform(multi.pointer, &running)
        heard?.passOn()
        heard = nil
        var wait = 0
        unsafe curl_multi_timeout(multi.pointer, &wait)
        curlDue = wait < 0 ? nil : Time.system.now() + .milliseconds(wait)
        for (tell, result) in finished() { tell(result) }
    }

    /// Read out before anyone is told: being told may remove handles, which drops curl's unread messages.
    private func finished() -> [(@NetworkThread (CURLcode) -> Void, CURLcode)] {
        var finished: [(@NetworkThread (CURLcode) -> Void, CURLcode)] = []
        var rest: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi.pointer, &rest) {
            guard unsafe message.pointee.msg == CURLMSG_DONE, let handle = unsafe message.pointee.easy_handle,
                let tell = whenDone.removeValue(forKey: Int(bitPattern: handle))
            else { continue }
            unsafe finished.append((tell, message.pointee.data.result))
        }
        return finished
    }

    /// In milliseconds, rounded up: waking early would mean waking twice.
    private var pollTimeout: Int32 {
        guard let due = [timers.next, curlDue].compactMap({ $0 }).min() else { return .max }
        let rest = due - Time.system.now()
        guard rest > .zero else { return 0 }
        return Int32(clamping: (rest + .nanoseconds(999_999)).wholeMilliseconds)
    }
}
