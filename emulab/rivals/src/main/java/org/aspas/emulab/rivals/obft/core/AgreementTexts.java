package org.aspas.emulab.rivals.obft.core;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.aspas.certify.identity.Hash;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Proof;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Report;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Step;
import org.aspas.emulab.rivals.obft.core.ObftMessage.Vote;

/** What is signed in the agreement, and whether it is signed right. */
record AgreementTexts(ObftSettings settings, ObftKeys keys) {
    private static final int REPORT = 100;

    private static byte[] report(long epoch, List<List<Hash>> chains) {
        Hash log = Hash.sha256(new ObftWriter().chains(chains).toBytes());
        return new ObftWriter().kind(REPORT).number(epoch).hash(log).toBytes();
    }

    private static byte[] vote(Step step, long epoch, int round, Hash set) {
        return new ObftWriter().step(step).number(epoch).number(round).hash(set).toBytes();
    }

    Report report(long epoch, EpochLog log) {
        List<List<Hash>> chains = log.chains();
        return new Report(settings.self(), epoch, chains, keys.sign(report(epoch, chains)));
    }

    Vote vote(Step step, long epoch, int round, AgreedSet set) {
        Hash digest = set.digest();
        return new Vote(epoch, round, step, digest, settings.self(), keys.sign(vote(step, epoch, round, digest)));
    }

    boolean valid(Vote vote) {
        byte[] text = vote(vote.step(), vote.epoch(), vote.round(), vote.set());
        return keys.signed(vote.voter(), text, vote.signature());
    }

    boolean valid(Report report, long epoch) {
        return report.epoch() == epoch
                && keys.signed(report.reporter(), report(epoch, report.chains()), report.signature());
    }

    /** Whether these are the logs of a quorum. */
    boolean valid(List<Report> reports, long epoch) {
        Set<Integer> reporters = new HashSet<>();
        return reports.stream().allMatch(report -> valid(report, epoch) && reporters.add(report.reporter()))
                && reporters.size() >= settings.quorum();
    }

    /** Whether a quorum has voted so for a set of the epoch. */
    boolean valid(Proof proof, Step step, long epoch) {
        byte[] text = vote(step, epoch, proof.round(), proof.set().digest());
        return proof.step() == step
                && proof.set().epoch() == epoch
                && proof.signatures().size() >= settings.quorum()
                && proof.signatures().entrySet().stream()
                        .allMatch(signed -> keys.signed(signed.getKey(), text, signed.getValue()));
    }
}
