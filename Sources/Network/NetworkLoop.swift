import CCurl
import Runtime

/// What `NetworkThread` does in a turn: timers, curl, pipes, and then the wait.
///
/// Order matters for latency: what jobs and timers wrote leaves in the same turn. curl is told which socket is ready
/// (<https://curl.se/libcurl/c/curl_multi_socket_action.html>), since on its own it would look at every transfer in flight
/// for each one that has something.
@NetworkThread
@safe
final class NetworkLoop {
    static let shared = NetworkLoop()

    let timers = TimerHeap()
    private let multi = NetworkThread.shared.multi
    private let epoll = NetworkThread.shared.epoll
    private var whenDone: [Int: @NetworkThread (CURLcode) -> Void] = [:]
    /// Those that curl drives.
    private var handles: [Int: EasyHandle] = [:]
    private var pipes: [ObjectIdentifier: BytePipe] = [:]
    /// The sockets that are watched for pipes; all others are watched for curl.
    private var pipesBySocket: [Int32: BytePipe] = [:]
    /// The transfer that curl is bringing something for; curl goes from one to the next.
    private var heard: HTTPTransfer?
    /// When curl wants to be called although nothing arrives.
    private var curlDue: Duration?
    /// Whoever waits until what has come is read, and how often the sockets were looked at since.
    private var catchingUp: [(looks: Int, waiter: CheckedContinuation<Void, Never>)] = []
    /// A peer that sends without end is not waited for: this is some megabytes.
    private static let maxLooks = 64

    private init() {
        // A connection that rests is worth keeping, a thousand of them are not; it never concerns those in use.
        unsafe ccurl_multi_set_long(multi.pointer, CURLMOPT_MAXCONNECTS, 128)
        unsafe ccurl_multi_set_socket(multi.pointer, Self.onSocket)
        unsafe ccurl_multi_set_timer(multi.pointer, Self.onTimer)
    }

    /// curl wants a socket watched for something else than before.
    private nonisolated static let onSocket: curl_socket_callback = { _, socket, wish, _, _ in
        let wanted: Epoll.Readiness =
            switch wish {
            case CURL_POLL_IN: .input
            case CURL_POLL_OUT: .output
            case CURL_POLL_INOUT: [.input, .output]
            default: []
            }
        NetworkThread.assumeIsolated { NetworkLoop.shared.watch(socket, for: wanted) }
        return 0
    }

    /// curl wants to be called after so many milliseconds, or, below zero, no more; it must not be called from in here.
    private nonisolated static let onTimer: curl_multi_timer_callback = { _, wait, _ in
        NetworkThread.assumeIsolated {
            NetworkLoop.shared.curlDue = wait < 0 ? nil : Time.system.now() + .milliseconds(wait)
        }
        return 0
    }

    /// Lets curl drive the handle; `whenDone` is called once, from the loop, with curl's result, and may
    /// still come when another's `whenDone` removed the handle a moment before.
    func add(_ handle: EasyHandle, whenDone: @escaping @NetworkThread (CURLcode) -> Void) -> Bool {
        guard unsafe curl_multi_add_handle(multi.pointer, handle.pointer) == CURLM_OK else { return false }
        self.whenDone[handle.address] = whenDone
        handles[handle.address] = handle
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
        handles[handle.address] = nil
        unsafe curl_multi_remove_handle(multi.pointer, handle.pointer)
    }

    /// From now on the pipe's socket is watched and the pipe is served each turn that it asks for.
    func watch(_ pipe: BytePipe) { pipes[ObjectIdentifier(pipe)] = pipe }

    func forget(_ pipe: BytePipe) {
        pipes[ObjectIdentifier(pipe)] = nil
        guard let socket = pipe.watched?.socket else { return }
        pipesBySocket[socket] = nil
        epoll.watch(socket, for: [])
    }

    /// Returns when what the sockets held at this moment was handed over.
    func catchUp() async {
        await withCheckedContinuation { catchingUp.append((0, $0)) }
    }

    private func releaseCaughtUp() {
        let isQuiet = !pipes.values.contains { $0.wantsTurn }
        let ready = catchingUp.filter { $0.looks > (isQuiet ? 0 : Self.maxLooks) }
        guard !ready.isEmpty else { return }
        catchingUp.removeAll { $0.looks > (isQuiet ? 0 : Self.maxLooks) }
        for (_, waiter) in ready { waiter.resume() }
    }

    /// One turn without waiting; true when nothing is left to do until something arrives.
    ///
    /// What is in the sockets is read before anything is found to be late: where the process stood still for a while, it came
    /// in time.
    func turn() -> Bool {
        let now = Time.system.now()
        if let due = [timers.next, curlDue].compactMap(\.self).min(), due <= now { readWhatCame(late: now - due) }
        timers.fire(at: now)
        if let due = curlDue, due <= Time.system.now() {
            curlDue = nil
            act(on: ccurl_socket_timeout, 0)
            tellFinished()
        }
        for pipe in pipes.values where pipe.wantsTurn { pipe.serve() }
        if !catchingUp.isEmpty { releaseCaughtUp() }
        return catchingUp.isEmpty && !pipes.values.contains { $0.wantsTurn }
    }

    /// Waits until a socket is ready, a timer is due or another thread wakes the loop; or only looks.
    func wait(mayBlock: Bool) {
        for pipe in pipes.values { watchSocket(of: pipe) }
        serve(epoll.wait(mayBlock ? pollTimeout : 0))
        for index in catchingUp.indices { catchingUp[index].looks += 1 }
    }

    /// Pipes are read at once: what another thread wants done next may be to find that nothing was heard for long.
    private func serve(_ ready: [(socket: Int32, readiness: Epoll.Readiness)]) {
        for (socket, readiness) in ready {
            if let pipe = pipesBySocket[socket] {
                pipe.becameReady()
                pipe.serve()
            } else {
                act(on: socket, Self.selection(of: readiness))
            }
        }
        tellFinished()
    }

    /// Takes what is in the sockets. A timer that is later than timers are tells that the process stood still: then all of
    /// it, as far as it came meanwhile, and curl, which has a clock of its own for connections, is given as much more time.
    private func readWhatCame(late: Duration) {
        let stoodStill = late > Self.standstill
        if stoodStill { for handle in handles.values { handle.addConnectTime(late) } }
        for _ in 0..<(stoodStill ? Self.maxReads : 1) {
            let ready = epoll.wait(0)
            if ready.isEmpty { return }
            serve(ready)
        }
    }

    /// Timers are a few milliseconds late where there is much to do.
    private static let standstill: Duration = .seconds(1)
    /// Each brings some kilobytes of every answer.
    private static let maxReads = 256

    private func watchSocket(of pipe: BytePipe) {
        guard let interest = pipe.interest, interest != pipe.watched else { return }
        pipe.watched = interest
        pipesBySocket[interest.socket] = pipe
        epoll.watch(interest.socket, for: interest.readiness)
    }

    private func watch(_ socket: Int32, for wanted: Epoll.Readiness) {
        // A connection that is a pipe's by now concerns curl no more.
        if pipesBySocket[socket] == nil { epoll.watch(socket, for: wanted) }
    }

    /// Lets curl do what there is to do for this socket, or for whose time has come.
    private func act(on socket: curl_socket_t, _ selection: Int32) {
        var running: Int32 = 0
        unsafe curl_multi_socket_action(multi.pointer, socket, selection, &running)
    }

    private static func selection(of readiness: Epoll.Readiness) -> Int32 {
        (readiness.contains(.input) ? CURL_CSELECT_IN : 0) | (readiness.contains(.output) ? CURL_CSELECT_OUT : 0)
            | (readiness.isDisjoint(with: .gone) ? 0 : CURL_CSELECT_ERR)
    }

    /// Hands on what curl brought, and tells those whose transfers have ended.
    private func tellFinished() {
        heard?.passOn()
        heard = nil
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
