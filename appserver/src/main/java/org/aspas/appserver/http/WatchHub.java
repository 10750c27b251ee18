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
import java.security.SecureRandom;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.aspas.appserver.core.port.ObjectChange;
import org.aspas.appserver.core.port.ObjectPicture;
import org.aspas.appserver.port.ObjectPort;

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
            Optional<List<ObjectPicture>> pictures,
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
        for (ObjectPicture picture : pictures.get()) {
            first = first.concat(WatchEvents.initial(nextId(), picture, server, stream.isTextual()));
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
                    .filter(stream -> stream.keys().contains(change.picture().key()))
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
            // The door is closed, and all streams have ended.
            return;
        }
    }

    @Override
    public void close() {
        post(() -> List.copyOf(open).forEach(this::leave));
        thread.shutdown();
    }
}
