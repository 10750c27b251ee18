package org.aspas.appserver.http;

import org.aspas.appserver.port.EntryStore;
import org.aspas.appserver.trace.AppServerSpans;
import org.aspas.certify.identity.Descriptor;
import org.aspas.certify.identity.SignatureCounts;
import org.jspecify.annotations.Nullable;

/**
 * Which server answers.
 *
 * @param version the software's version, for people
 * @param spans follows what it does; null without tracing
 */
public record ServerIdentity(
        Descriptor descriptor,
        int index,
        String version,
        EntryStore store,
        SignatureCounts signatures,
        @Nullable AppServerSpans spans) {}
