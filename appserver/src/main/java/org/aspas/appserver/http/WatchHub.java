package org.aspas.appserver.http;

import akka.Done;
import akka.event.Logging;
import akka.http.javadsl.model.HttpEntities;
import akka.http.javadsl.model.HttpHeader;
import akka.http.javadsl.model.HttpRequest;
import akka.http.javadsl.model.HttpResponse;
import akka.http.javadsl.model.MediaTypes;
import akka.http.javadsl.model.headers.RawHeader;
import akka.stream.Attributes;
import akka.stream.javadsl.Source;
import akka.util.ByteString;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.aspas.appserver.core.state.ObjectChange;
import org.aspas.appserver.core.state.ObjectView;
import org.aspas.appserver.port.ObjectPort;
import org.aspas.certify.wire.CertificateNumber;
import org.jspecify.annotations.Nullable;

/**
 * All streams of {@code /v1/watch}. The core tells of each change once, however many streams want it; a thread of its own writes the
 * event once for each form of integers and gives it to all that want it so. Thread-safe.
 */
final class WatchHub implements AutoCloseable {
    private static final String LAST_EVENT_ID = "last-event-id";

    /** A stream that nobody has begun to read for so long ends. */
    private static final long UNREAD_SECONDS = 10;

    private final ObjectPort port;
    private final WatchLimits limits;
    private final HttpCounters counters;
    private final int server;
    private final ThreadPoolExecutor thread;

    /** Tells the events of this process from those of others. */
    private final String start = Long.toHexString(new SecureRandom().nextLong());

    // For the own thread.
    private final Set<WatchStream> open = new LinkedHashSet<>();
    private final Set<WatchStream> begun = new HashSet<>();
    private Set<String> watched = Set.of();
    private long events;

    WatchHub(ObjectPort port, WatchLimits limits, HttpCounters counters, int server) {
        this.port = port;
        this.limits = limits;
        this.counters = counters;
        this.server = server;
        this.thread = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), body -> {
            Thread own = new Thread(body, "watch-" + server);
            own.setDaemon(true);
            return own;
        });
    }

    /** Opens a stream; fails when there is no room for it, or the server cannot vouch for its state. */
    CompletionStage<HttpResponse> open(RoutedRequest request) {
        List<String> keys = request.keys(limits.keysOfStream());
        WatchStream stream = new WatchStream(keys, request.remote(), request.integersAsText(), limits.queue());
        CompletableFuture<HttpResponse> response = new CompletableFuture<>();
        post(() -> enter(stream, keys, lastEventId(request.http()), response));
        return response;
    }

    private static Optional<String> lastEventId(HttpRequest http) {
        for (HttpHeader header : http.getHeaders()) {
            if (header.is(LAST_EVENT_ID) && !header.value().isBlank()) {
                return Optional.of(header.value());
            }
        }
        return Optional.empty();
    }

    private void enter(
            WatchStream stream, List<String> keys, Optional<String> after, CompletableFuture<HttpResponse> response) {
        Optional<String> full = full(stream);
        if (full.isPresent()) {
            response.completeExceptionally(new ProblemException(Problem.busy(full.get())));
            return;
        }
        open.add(stream);
        counters.streamsOpened.increment();
        watch();
        port.pictures(keys, pictures -> post(() -> begin(stream, pictures, after, response)))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        post(() -> leave(stream));
                        response.completeExceptionally(failure);
                    }
                });
    }

    private Optional<String> full(WatchStream stream) {
        long ofAddress = open.stream()
                .filter(one -> one.address().equals(stream.address()))
                .count();
        if (open.size() >= limits.streams() || ofAddress >= limits.streams() / 2) {
            return Optional.of("There are " + open.size() + " streams, " + ofAddress + " of them from this address; "
                    + limits.streams() + " may be, half of them from one address.");
        }
        Set<String> all = new HashSet<>(watched);
        all.addAll(stream.keys());
        return all.size() > limits.keys()
                ? Optional.of("The streams watch " + watched.size() + " objects; " + limits.keys() + " may be watched.")
                : Optional.empty();
    }

    /** The core watches what the streams want, and nothing else. */
    private void watch() {
        Set<String> wanted =
                open.stream().flatMap(stream -> stream.keys().stream()).collect(Collectors.toUnmodifiableSet());
        if (!wanted.equals(watched)) {
            watched = wanted;
            port.watch(wanted, changes -> post(() -> changed(changes)));
        }
    }

    private void begin(
            WatchStream stream,
            Optional<List<ObjectView>> pictures,
            Optional<String> after,
            CompletableFuture<HttpResponse> response) {
        if (pictures.isEmpty()) {
            leave(stream);
            response.completeExceptionally(new ProblemException(Problem.cannotVouch()));
            return;
        }
        ByteString first = WatchEvents.beginning();
        if (after.isPresent()) {
            first = first.concat(WatchEvents.unknown(after.get()));
        }
        for (ObjectView view : pictures.get()) {
            first = first.concat(WatchEvents.initial(nextId(), view, server, stream.isTextual()));
        }
        stream.offer(first);
        begun.add(stream);
        response.complete(response(stream));
        // Nobody tells of a reader that was gone before it got the response.
        CompletableFuture.delayedExecutor(UNREAD_SECONDS, TimeUnit.SECONDS)
                .execute(() -> post(() -> {
                    if (!stream.isRead()) {
                        leave(stream);
                    }
                }));
    }

    private HttpResponse response(WatchStream stream) {
        Source<ByteString, ?> events = Source.<ByteString, WatchStream>unfoldResourceAsync(
                        () -> CompletableFuture.completedFuture(stream), WatchStream::next, this::closed)
                .keepAlive(limits.heartbeat(), WatchEvents::heartbeat)
                .addAttributes(
                        Attributes.createLogLevels(Logging.DebugLevel(), Logging.DebugLevel(), Logging.ErrorLevel()));
        return HttpResponse.create()
                .addHeader(RawHeader.create("Cache-Control", "no-cache"))
                .addHeader(RawHeader.create("X-Accel-Buffering", "no"))
                .withEntity(HttpEntities.create(MediaTypes.TEXT_EVENT_STREAM.toContentType(), events));
    }

    private CompletionStage<Done> closed(WatchStream stream) {
        post(() -> leave(stream));
        return CompletableFuture.completedFuture(Done.getInstance());
    }

    private void leave(WatchStream stream) {
        stream.end();
        begun.remove(stream);
        if (open.remove(stream)) {
            counters.streamsClosed.increment();
            watch();
        }
    }

    private void changed(List<ObjectChange> changes) {
        for (ObjectChange change : changes) {
            List<WatchStream> readers = begun.stream()
                    .filter(stream -> stream.keys().contains(change.view().key()))
                    .toList();
            String id = nextId();
            tell(readers, id, change, false);
            tell(readers, id, change, true);
        }
    }

    /** Writes an event once for all readers that want integers in one of the two forms. */
    private void tell(List<WatchStream> readers, String id, ObjectChange change, boolean textual) {
        List<WatchStream> told =
                readers.stream().filter(stream -> stream.isTextual() == textual).toList();
        if (told.isEmpty()) {
            return;
        }
        ByteString event = WatchEvents.of(id, change, server, false, textual);
        for (WatchStream stream : told) {
            if (stream.offer(event)) {
                counters.eventsDropped.increment();
            }
        }
    }

    private String nextId() {
        return start + "-" + ++events;
    }

    private void post(Runnable step) {
        try {
            thread.execute(step);
        } catch (RejectedExecutionException closed) {
            // The listener is closed, and all streams have ended.
            return;
        }
    }

    @Override
    public void close() {
        post(() -> List.copyOf(open).forEach(this::leave));
        thread.shutdown();
    }

    /**
     * The events that wait for one reader of {@code /v1/watch}. When they are too many the oldest is dropped, and the reader is told how
     * many were, before the next one. Thread-safe.
     */
    private static final class WatchStream {
        private final Set<String> keys;
        private final Optional<InetAddress> address;
        private final boolean textual;
        private final int most;
        private final Deque<ByteString> queue = new ArrayDeque<>();
        private @Nullable CompletableFuture<Optional<ByteString>> waiting;
        private long dropped;
        private boolean ended;
        private boolean read;

        /**
         * A stream without events.
         *
         * @param textual whether it wants integers as texts
         * @param most how many events wait at most
         */
        WatchStream(List<String> keys, Optional<InetAddress> address, boolean textual, int most) {
            this.keys = Set.copyOf(keys);
            this.address = address;
            this.textual = textual;
            this.most = most;
        }

        Set<String> keys() {
            return keys;
        }

        Optional<InetAddress> address() {
            return address;
        }

        boolean isTextual() {
            return textual;
        }

        /**
         * Adds an event.
         *
         * @return whether the oldest was dropped for it
         */
        boolean offer(ByteString event) {
            CompletableFuture<Optional<ByteString>> reader;
            synchronized (this) {
                if (ended) {
                    return false;
                }
                reader = waiting;
                waiting = null;
                if (reader == null) {
                    queue.addLast(event);
                    if (queue.size() <= most) {
                        return false;
                    }
                    queue.removeFirst();
                    dropped++;
                    return true;
                }
            }
            reader.complete(Optional.of(event));
            return false;
        }

        /** All events that wait, or the next one when it comes; nothing at the end. To be called again when this is done. */
        synchronized CompletionStage<Optional<ByteString>> next() {
            read = true;
            if (!queue.isEmpty()) {
                ByteString all = dropped == 0 ? ByteString.emptyByteString() : WatchEvents.dropped(dropped);
                for (ByteString event : queue) {
                    all = all.concat(event);
                }
                queue.clear();
                dropped = 0;
                return CompletableFuture.completedFuture(Optional.of(all));
            }
            if (ended) {
                return CompletableFuture.completedFuture(Optional.empty());
            }
            CompletableFuture<Optional<ByteString>> reader = new CompletableFuture<>();
            waiting = reader;
            return reader;
        }

        /** Whether somebody reads it, or did. */
        synchronized boolean isRead() {
            return read;
        }

        /** Ends the stream after what waits. */
        void end() {
            CompletableFuture<Optional<ByteString>> reader;
            synchronized (this) {
                ended = true;
                reader = waiting;
                waiting = null;
            }
            if (reader != null) {
                reader.complete(Optional.empty());
            }
        }
    }

    /** The events of {@code /v1/watch}, as the HTML standard writes server-sent events. */
    private static final class WatchEvents {
        /** What a browser waits before it connects again, in milliseconds. */
        private static final String RETRY = "retry: 2000\n\n";

        /** A comment without text, which readers ignore. */
        private static final ByteString HEARTBEAT = ByteString.fromString(":\n\n");

        private WatchEvents() {}

        static ByteString heartbeat() {
            return HEARTBEAT;
        }

        static ByteString beginning() {
            return ByteString.fromString(RETRY);
        }

        /** Events were dropped because the reader was slow. */
        static ByteString dropped(long count) {
            return event("", "gap", JsonNodeFactory.instance.objectNode().put("dropped", count));
        }

        /** A reader has come back, and nobody knows what happened between. */
        static ByteString unknown(String after) {
            ObjectNode data = JsonNodeFactory.instance.objectNode().put("after", after);
            data.putNull("dropped");
            return event("", "gap", data);
        }

        /**
         * Something happened to an object, or it is as it was when the stream began.
         *
         * @param initial whether nothing happened
         * @param textual whether integers are texts
         */
        static ByteString of(String id, ObjectChange change, int server, boolean initial, boolean textual) {
            ObjectView view = change.view();
            boolean certified = change.kind() == ObjectChange.Kind.CERTIFIED;
            ObjectNode data =
                    JsonNodeFactory.instance.objectNode().put("key", view.key()).put("type", view.type());
            data.setAll(JsonForms.of(certified ? view.certified() : view.local(), textual));
            if (!certified) {
                data.set("version", JsonForms.of(view.version()));
            }
            data.put("certificate", view.certificate().value()).put("server", server);
            if (initial) {
                data.put("initial", true);
            }
            return event(id, change.kind().name().toLowerCase(Locale.ROOT), data);
        }

        /** How an object is when a stream begins: the live value, and the certified one if there is a certificate. */
        static ByteString initial(String id, ObjectView view, int server, boolean textual) {
            ByteString local = of(id, new ObjectChange(ObjectChange.Kind.LOCAL, view), server, true, textual);
            return view.certificate().equals(CertificateNumber.NONE)
                    ? local
                    : local.concat(of(id, new ObjectChange(ObjectChange.Kind.CERTIFIED, view), server, true, textual));
        }

        private static ByteString event(String id, String name, JsonNode data) {
            String line = id.isEmpty() ? "" : "id: " + id + "\n";
            return ByteString.fromString(line + "event: " + name + "\ndata: " + data + "\n\n");
        }
    }
}
