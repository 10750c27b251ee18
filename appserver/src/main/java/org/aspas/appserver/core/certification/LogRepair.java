package org.aspas.appserver.core.certification;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.aspas.appserver.core.log.Logs;
import org.aspas.appserver.core.log.OriginLog;
import org.aspas.appserver.core.state.Alarm;
import org.aspas.appserver.core.state.CorePart;
import org.aspas.appserver.core.state.CoreState;
import org.aspas.appserver.core.state.Records;
import org.aspas.appserver.core.state.ServerState;
import org.aspas.certify.machine.Cuts;
import org.aspas.certify.wire.Certificate;
import org.aspas.certify.wire.CertificateContent;
import org.aspas.certify.wire.CertificateContent.Exclusion;
import org.aspas.certify.wire.Entry;

/**
 * Makes the logs agree with what is certified next: cuts those of excluded origins, and takes back the ends in whose places
 * other entries are certified. For one thread.
 */
final class LogRepair extends CorePart {
    private final Logs logs;
    private final CertifiedHistory history;
    private final NextState states;

    LogRepair(CoreState context, Logs logs, CertifiedHistory history, NextState states) {
        super(context);
        this.logs = logs;
        this.history = history;
        this.states = states;
    }

    boolean carriedOut(Certificate next) {
        return new Cuts(next.content().exclusions()).equals(logs.cuts());
    }

    /**
     * Cuts the logs of the origins that a certificate excludes, or takes back what of them differs below the cut; empty when
     * what is certified of them is not here.
     */
    Optional<LogsCut> carryOut(Certificate next) {
        CertificateContent content = next.content();
        for (Exclusion one : content.exclusions()) {
            OriginLog log = logs.of(one.origin());
            if (log.size() < one.cut()) {
                return Optional.empty();
            }
            if (!log.rootAt(one.cut()).equals(content.roots().get(one.origin()))) {
                return Optional.of(takeBack(one.origin(), next));
            }
        }
        outbox.persist(Records.exclusion(next));
        return Optional.of(exclude(content));
    }

    /** Carries out exclusions; of every excluded log the end up to the cut is here. */
    LogsCut exclude(CertificateContent content) {
        Cuts before = logs.cuts();
        List<Entry> revoked = logs.exclude(new Cuts(content.exclusions()));
        List<LogsCut.End> ends = new ArrayList<>();
        for (Exclusion one : content.exclusions()) {
            if (!before.excludes(one.origin())) {
                counters.count("exclusions");
                outbox.alarm(new Alarm.Excluded(one.origin(), one.cut(), content.number(), one.evidence()));
                ends.add(new LogsCut.End(one.origin(), one.cut()));
            }
            if (one.origin() == settings.index()) {
                condition.become(ServerState.EXCLUDED, "certificate " + content.number() + " excludes this server");
            }
        }
        states.forget();
        logs.deliverReady();
        return new LogsCut(ends, revoked);
    }

    /**
     * Takes back the logs that differ from what is certified, so that it is pulled; empty when none does. Entries that wait
     * count too: on the wrong branch they may wait for ever.
     */
    Optional<LogsCut> repair(Certificate next) {
        List<LogsCut.End> ends = new ArrayList<>();
        List<Entry> revoked = new ArrayList<>();
        CertificateContent content = next.content();
        boolean follows = history.broken(next).isEmpty();
        for (int origin = 0; follows && origin < settings.quorums().appservers(); origin++) {
            long size = content.version().get(origin);
            if (origin != settings.index()
                    && size > history.certified().get(origin)
                    && logs.of(origin).size() >= size
                    && !logs.of(origin).rootAt(size).equals(content.roots().get(origin))) {
                LogsCut cut = takeBack(origin, next);
                ends.addAll(cut.ends());
                revoked.addAll(cut.revoked());
            }
        }
        return ends.isEmpty() ? Optional.empty() : Optional.of(new LogsCut(ends, revoked));
    }

    /** Takes back the end of a log that differs from what is certified next. */
    LogsCut takeBack(int origin, Certificate next) {
        long kept = history.certified().get(origin);
        counters.count("repairs");
        outbox.alarm(new Alarm.LogTakenBack(origin, kept, logs.of(origin).size(), next.number()));
        logs.repair(origin, next.content().version().get(origin));
        outbox.persist(Records.takenBack(origin, kept));
        return takenBack(origin, kept);
    }

    /** Takes back the end of a log, as the store says that it was. */
    LogsCut takenBack(int origin, long kept) {
        List<Entry> revoked = logs.takeBackWrongBranch(origin, kept);
        states.forget();
        condition.become(ServerState.REPAIRING, "the log of " + origin + " is not the certified one after " + kept);
        return new LogsCut(List.of(new LogsCut.End(origin, kept)), revoked);
    }
}
