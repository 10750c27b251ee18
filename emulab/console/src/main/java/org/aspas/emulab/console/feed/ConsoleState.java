package org.aspas.emulab.console.feed;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The state that a newly opened page needs, and the event streams of the open pages. Thread-safe. */
public final class ConsoleState {
    /** The most pages that can be open at once. */
    public static final int MOST_STREAMS = 8;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Events whose newest content is in {@code hello}: from the event's name to the name of the field. */
    private static final Map<String, String> NEWEST = Map.of(
            "nodes",
            "nodes",
            "classes",
            "classes",
            "values",
            "keys",
            "lag",
            "lag",
            "attack",
            "attack",
            "partition",
            "partition");

    /** Events of which the last few are in {@code hello}: from the event's name to the name of the field and the most items. */
    private static final Map<String, Kept> LAST = Map.of(
            "certificate",
            new Kept("certificates", 20),
            "story",
            new Kept("story", 200),
            "proof",
            new Kept("proofs", 64));

    private record Kept(String name, int most) {}

    private final long start = System.nanoTime();
    private final ObjectNode frame;
    private final Map<String, JsonNode> newest = new LinkedHashMap<>();
    private final Map<String, Deque<JsonNode>> last = new LinkedHashMap<>();
    private final Set<EventStream> streams = new LinkedHashSet<>();
    private volatile boolean heard;
    private boolean over;
    private long stories;

    /**
     * Creates an empty state.
     *
     * @param frame the constant fields of {@code hello}
     */
    public ConsoleState(ObjectNode frame) {
        this.frame = frame;
    }

    public static ObjectNode object() {
        return MAPPER.createObjectNode();
    }

    /** Returns a new JSON object with the current time. */
    public ObjectNode timed() {
        return object().put("t", millis());
    }

    /** Returns the milliseconds since the console started. */
    public long millis() {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
    }

    /** Returns whether any page is open; events for pages only need not be produced otherwise. */
    public boolean isHeard() {
        return heard;
    }

    /** Sends an event to all pages and keeps the parts that later pages need. The object must not be changed afterwards. */
    public synchronized void publish(String event, ObjectNode data) {
        String field = NEWEST.get(event);
        Kept kept = LAST.get(event);
        if (field != null) {
            // In hello, lists stand without the time of their event, and single things as whole events.
            newest.put(field, data.has(field) ? data.get(field) : data);
        } else if (kept != null) {
            Deque<JsonNode> all = last.computeIfAbsent(event, name -> new ArrayDeque<>());
            all.addLast(data);
            if (all.size() > kept.most()) {
                all.removeFirst();
            }
        }
        if (!streams.isEmpty()) {
            EventStream.Item item = new EventStream.Item(event, bytes(data));
            streams.forEach(stream -> stream.offer(item));
        }
    }

    /** Publishes a line of the story and gives it the next number. */
    public synchronized void story(ObjectNode line) {
        publish("story", line.put("seq", ++stories));
    }

    public synchronized ObjectNode hello() {
        ObjectNode hello = frame.deepCopy();
        hello.put("t", millis());
        for (String field : NEWEST.values()) {
            JsonNode known = newest.get(field);
            if (known != null) {
                hello.set(field, known);
            } else if (!hello.has(field)) {
                hello.putNull(field);
            }
        }
        LAST.forEach((event, kept) -> hello.putArray(kept.name()).addAll(last.getOrDefault(event, new ArrayDeque<>())));
        return hello;
    }

    /** Opens a stream that begins with the whole state and misses no later event; empty if too many are open or the console has ended. */
    public synchronized Optional<EventStream> open() {
        if (over || streams.size() >= MOST_STREAMS) {
            return Optional.empty();
        }
        EventStream stream = new EventStream(this, new EventStream.Item("hello", bytes(hello())));
        streams.add(stream);
        heard = true;
        return Optional.of(stream);
    }

    synchronized void closed(EventStream stream) {
        streams.remove(stream);
        heard = !streams.isEmpty();
    }

    /**
     * Ends all streams with a last event.
     *
     * @param text the reason, for people
     */
    public synchronized void end(String text) {
        if (!over) {
            over = true;
            publish("end", timed().put("text", text));
            streams.forEach(EventStream::end);
        }
    }

    private static byte[] bytes(JsonNode data) {
        try {
            return MAPPER.writeValueAsString(data).getBytes(StandardCharsets.UTF_8);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("a tree of JSON cannot be written", impossible);
        }
    }
}
