package org.aspas.appserver.core.certification;

import java.util.List;
import org.aspas.certify.wire.Entry;

/**
 * The ends of logs were taken back: of excluded origins beyond their cuts, or where other entries are certified.
 *
 * @param revoked what had been delivered of these ends
 */
public record LogsCut(List<End> ends, List<Entry> revoked) implements Certification.Step {
    /**
     * The end of one log.
     *
     * @param kept the last sequence number that stays
     */
    public record End(int origin, long kept) {}
}
