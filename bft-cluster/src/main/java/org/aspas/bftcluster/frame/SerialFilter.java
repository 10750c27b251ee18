package org.aspas.bftcluster.frame;

import java.io.ObjectInputFilter;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The second wall: in a process of its own, a bftserver lets the Java runtime deserialize nothing but the classes that
 * {@link FrameCheck} knows, whoever asks.
 */
public final class SerialFilter {
    private static final int MAX_DEPTH = 24;
    private static final int MAX_REFERENCES = 100_000;

    private static final Set<String> CLASSES = Stream.concat(
                    LibraryClasses.names().stream(), Stream.of(Map.Entry.class.getName(), Object.class.getName()))
            .collect(Collectors.toUnmodifiableSet());

    private SerialFilter() {}

    /**
     * Sets the filter of this whole process. Only for a process in which nobody else deserializes objects.
     *
     * @param maxFrameBytes the longest frame that replicas send each other, in bytes: no stream is longer, nor an array in
     *     one
     * @throws IllegalStateException when the process has a filter already
     */
    public static void install(int maxFrameBytes) {
        ObjectInputFilter.Config.setSerialFilter(info -> judge(info, maxFrameBytes));
    }

    static ObjectInputFilter.Status judge(ObjectInputFilter.FilterInfo info, int maxFrameBytes) {
        boolean bounded = info.depth() <= MAX_DEPTH
                && info.references() <= MAX_REFERENCES
                && info.arrayLength() <= maxFrameBytes
                && info.streamBytes() <= maxFrameBytes;
        if (!bounded) {
            return ObjectInputFilter.Status.REJECTED;
        }
        Class<?> type = info.serialClass();
        while (type != null && type.isArray()) {
            type = type.getComponentType();
        }
        boolean known = type == null || type.isPrimitive() || CLASSES.contains(type.getName());
        return known ? ObjectInputFilter.Status.ALLOWED : ObjectInputFilter.Status.REJECTED;
    }
}
