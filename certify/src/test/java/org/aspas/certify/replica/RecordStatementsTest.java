package org.aspas.certify.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.aspas.certify.identity.Hash;
import org.aspas.certify.replica.CertificateSigner.RecordStatements;
import org.aspas.certify.replica.RecordItem.Taught;
import org.aspas.certify.wire.CertificateNumber;
import org.aspas.certify.wire.Epoch;
import org.aspas.certify.wire.Recover;
import org.junit.jupiter.api.Test;

class RecordStatementsTest {
    private static final Hash START = Hash.sha256(new byte[] {1});
    private static final Hash EARLIER = Hash.sha256(new byte[] {2});

    private final List<Recover> said = new ArrayList<>();
    private final RecordState record = new RecordState();
    private final RecordStatements statements = new RecordStatements(0, START, record, said::add);

    @Test
    void aRecordThatWasCompletedAfterItsFirstStatementIsStatedAgain() {
        statements.join();
        assertThat(said).singleElement().matches(first -> !first.knowing());
        Recover incomplete = said.remove(0);

        record.apply(new Taught(CertificateNumber.NONE));
        statements.ordered(incomplete);
        statements.join();
        assertThat(said).singleElement().matches(Recover::knowing);

        statements.ordered(said.remove(0));
        statements.join();
        assertThat(said).isEmpty();
    }

    @Test
    void aStatementOfAnEarlierLifeDoesNotEndTheRepeats() {
        record.apply(new Taught(CertificateNumber.NONE));
        statements.ordered(new Recover(0, EARLIER, Hash.ZERO, true, Epoch.NONE, CertificateNumber.NONE, 0, null));
        statements.join();
        assertThat(said).hasSize(1);
    }
}
