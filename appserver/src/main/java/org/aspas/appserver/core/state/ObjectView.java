package org.aspas.appserver.core.state;

import org.aspas.certify.wire.CertificateNumber;
import org.aspas.crdt.clock.VersionVector;
import org.aspas.crdt.value.Value;
import org.jspecify.annotations.Nullable;

/**
 * What a server has of one object, in the live view and at its newest certificate. Immutable.
 *
 * @param type its datatype; null when there is no such object, certified or not yet
 * @param local the live view, at {@code version}
 * @param certified the object at {@code certificate}; as if nothing had happened to it where that does not have it
 * @param version what the server has delivered
 * @param certificate the newest certificate of the server; none before the first
 */
public record ObjectView(
        String key,
        @Nullable String type,
        Shown local,
        Shown certified,
        VersionVector version,
        CertificateNumber certificate) {
    /**
     * One state of an object.
     *
     * @param value its value; null when there is no object, or when its state is longer than {@value #MOST_BYTES} bytes
     * @param elements how many elements it has; null for a type without elements
     */
    public record Shown(@Nullable Value value, @Nullable Long elements) {
        /** A state of more bytes is not shown: who wants it reads the object. */
        public static final long MOST_BYTES = 4 << 10;

        /** That of an object that is not there. */
        public static final Shown NOTHING = new Shown(null, null);
    }
}
